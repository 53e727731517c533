//! A problem with bounds and colours: six guests at two tables of three. Each table has one language, and every guest
//! speaks one or two.
//!
//! `cargo run -p galop-cover --example seating`

use galop_cover::{CoverError, CoverLimits, ExactCover};

const GUESTS: [(&str, &[&str]); 6] = [
    ("Ana", &["Spanish", "French"]),
    ("Ben", &["English"]),
    ("Chloe", &["French"]),
    ("Dora", &["English", "Spanish"]),
    ("Emil", &["English", "French"]),
    ("Fay", &["French", "Spanish"]),
];

fn main() -> Result<(), CoverError> {
    let mut builder = ExactCover::builder();
    // Every guest is seated once, every table has three guests.
    for (guest, _) in GUESTS {
        builder.primary(guest);
    }
    for table in ["window", "door"] {
        builder.primary_with_bounds(table, 3, 3);
    }
    // The language of a table is a secondary item with a colour: all options that name it must agree.
    for language in ["window-language", "door-language"] {
        builder.secondary(language);
    }
    for (guest, languages) in GUESTS {
        for table in ["window", "door"] {
            for language in languages {
                builder.option([guest, table, &format!("{table}-language:{language}")]);
            }
        }
    }
    let problem = builder.finish()?;
    for solution in problem.solver()?.solutions(&CoverLimits::NONE) {
        let seats: Vec<String> =
            solution?.into_iter().map(|option| problem.option_text(option).to_string()).collect();
        println!("{}", seats.join(" | "));
    }
    Ok(())
}

#[test]
fn the_guests_are_seated() -> Result<(), CoverError> {
    main()
}
