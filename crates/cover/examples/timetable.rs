//! A timetable, with everything that items can say. There are lessons that are held several times a week, rooms and
//! teachers that are used at most once an hour, and a colour that keeps the lessons of a subject in one room.
//!
//! `cargo run -p galop-cover --example timetable`

use galop_cover::{CoverError, CoverLimits, ExactCover, ItemId, OptionId};

const HOURS: [&str; 6] = ["Mon 8", "Mon 9", "Tue 8", "Tue 9", "Wed 8", "Wed 9"];
const ROOMS: [&str; 2] = ["room of maths", "hall"];

struct Subject {
    name: &'static str,
    class: &'static str,
    teacher: &'static str,
    /// Lessons a week: at least and at most.
    lessons: (u32, u32),
    rooms: &'static [&'static str],
}

const SUBJECTS: [Subject; 5] = [
    Subject { name: "maths", class: "5a", teacher: "Noether", lessons: (3, 3), rooms: &["room of maths"] },
    Subject {
        name: "music",
        class: "5a",
        teacher: "Bach",
        lessons: (2, 3),
        rooms: &["hall", "room of maths"],
    },
    Subject { name: "maths", class: "5b", teacher: "Noether", lessons: (2, 2), rooms: &["room of maths"] },
    Subject {
        name: "music",
        class: "5b",
        teacher: "Bach",
        lessons: (2, 2),
        rooms: &["hall", "room of maths"],
    },
    Subject { name: "sports", class: "5b", teacher: "Owens", lessons: (1, 2), rooms: &["hall"] },
];

/// What an option stands for: the subject, the hour and the room.
struct Lesson(&'static Subject, &'static str, &'static str);

fn main() -> Result<(), CoverError> {
    let (problem, lessons) = timetable()?;
    let mut solver = problem.solver()?;
    let Some(solution) = solver.search(&CoverLimits::NONE).first()? else {
        println!("there is no such timetable");
        return Ok(());
    };
    let mut chosen: Vec<&Lesson> = solution.iter().map(|&option| &lessons[option.index()]).collect();
    chosen.sort_by_key(|lesson| (HOURS.iter().position(|hour| *hour == lesson.1), lesson.0.class));
    for Lesson(subject, hour, room) in chosen {
        println!("{hour}  {}  {:6} by {:7} in the {room}", subject.class, subject.name, subject.teacher);
    }
    let outcome = solver.search(&CoverLimits::NONE).count()?;
    println!("{} timetables, {} choices examined", outcome.solutions, outcome.nodes);
    Ok(())
}

/// The problem, and what its options stand for: an option is numbered as its lesson is.
fn timetable() -> Result<(ExactCover, Vec<Lesson>), CoverError> {
    let mut builder = ExactCover::builder();
    // Primary items, which are covered as often as their bounds say: the lessons of a subject ...
    let subjects = SUBJECTS.each_ref().map(|subject| {
        let (low, high) = subject.lessons;
        builder.primary_with_bounds(&format!("{} of {}", subject.name, subject.class), low, high)
    });
    // ... and secondary items, which are covered at most once: a class, a teacher or a room at an hour.
    let mut once = |who: &str| -> Vec<ItemId> {
        HOURS.iter().map(|hour| builder.secondary(&format!("{who}, {hour}"))).collect()
    };
    let classes = ["5a", "5b"].map(|class| (class, once(class)));
    let teachers = ["Noether", "Bach", "Owens"].map(|teacher| (teacher, once(teacher)));
    let rooms = ROOMS.map(|room| (room, once(room)));
    // An item with colours is covered any number of times, in one colour: all lessons of a subject are in one room.
    let homes = SUBJECTS
        .each_ref()
        .map(|subject| builder.secondary(&format!("where {} has {}", subject.class, subject.name)));
    let mut lessons: Vec<Lesson> = Vec::new();
    for ((subject, &home), lesson) in SUBJECTS.iter().zip(&homes).zip(subjects) {
        for (hour, name) in HOURS.iter().enumerate() {
            for room in subject.rooms {
                let at = |all: &[(&str, Vec<ItemId>)], who: &str| {
                    all.iter().find(|(name, _)| *name == who).map(|(_, items)| items[hour])
                };
                let used = [at(&classes, subject.class), at(&teachers, subject.teacher), at(&rooms, room)];
                let plain = std::iter::once(lesson).chain(used.into_iter().flatten());
                let option: OptionId = builder.option_with_colours(plain, [(home, *room)]);
                assert_eq!(option.index(), lessons.len());
                lessons.push(Lesson(subject, name, room));
            }
        }
    }
    Ok((builder.finish()?, lessons))
}

#[test]
fn a_timetable_keeps_all_rules() -> Result<(), CoverError> {
    let (problem, lessons) = timetable()?;
    for solution in problem.solver()?.search(&CoverLimits::first(100)).into_iter() {
        let chosen: Vec<&Lesson> = solution?.iter().map(|&option| &lessons[option.index()]).collect();
        for (index, one) in chosen.iter().enumerate() {
            for other in &chosen[..index] {
                let is_same = std::ptr::eq(one.0, other.0);
                assert!(!is_same || one.2 == other.2, "a subject in two rooms");
                assert!(one.1 != other.1 || one.2 != other.2, "two lessons in a room");
                assert!(one.1 != other.1 || one.0.teacher != other.0.teacher, "a teacher in two rooms");
            }
        }
    }
    main()
}
