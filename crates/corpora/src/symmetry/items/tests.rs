//! Groups and forms compared with what trying everything gives, and the messages of faults.

use std::collections::{HashMap, HashSet};

use galop_cover::{CoverLimits, ExactCover, OptionId, models};

use super::*;
use crate::input::{Notation, Source};
use crate::output;
use crate::pipeline::{Part, RewriteOptions};
use crate::puzzle::Puzzles;
use crate::symmetry::{Canonizer, FormKind, FormSymmetry, Forms};
use crate::{CANON_COLUMNS, CanonOptions, ClassOptions, canonize};

/// The mirror image and the transposition, which generate all 8 symmetries of a board. Diagonal `a` has the sum of row
/// and column, `b` the difference; those of one square are left out.
fn queens_text(n: usize) -> String {
    let last = 2 * n - 2;
    let cycles = |numbers: std::ops::Range<usize>, cycle: &dyn Fn(usize) -> String| -> String {
        numbers.map(|number| cycle(number) + " ").collect()
    };
    let columns = cycles(0..n / 2, &|column| format!("(c{column} c{})", n - 1 - column));
    let diagonals = cycles(1..last, &|sum| format!("(a{sum} b{})", last - sum));
    let lines = cycles(0..n, &|line| format!("(r{line} c{line})"));
    let differences = cycles(1..n - 1, &|difference| format!("(b{difference} b{})", last - difference));
    format!("# the board\n{columns}{diagonals}\n\n  {lines}{differences}\r\n")
}

fn queens(n: usize) -> (ExactCover, SymmetryGroup) {
    let problem = models::queens(n).unwrap();
    let group = SymmetryGroup::read(&problem, queens_text(n).as_bytes()).unwrap();
    (problem, group)
}

/// The solutions of a problem, a byte an option.
fn solutions(problem: &ExactCover) -> Vec<Vec<u8>> {
    let flat = |options: &[OptionId]| {
        let mut bytes = vec![0; problem.option_count()];
        options.iter().for_each(|option| bytes[option.index()] = 1);
        bytes
    };
    let mut solver = problem.solver().unwrap();
    solver.search(&CoverLimits::NONE).into_iter().map(|solution| flat(&solution.unwrap())).collect()
}

/// The list by which images are compared.
fn list(bytes: &[u8]) -> (Vec<usize>, Vec<usize>) {
    let of = |byte: u8| (0..bytes.len()).filter(|&option| bytes[option] == byte).collect();
    (of(1), of(2))
}

/// The least image, and the number of symmetries that lead there: every symmetry is tried.
fn least(group: &SymmetryGroup, bytes: &[u8]) -> (Vec<u8>, u32) {
    let mut images: Vec<Vec<u8>> =
        (0..group.order() as u32).map(|symmetry| image(group, symmetry, bytes)).collect();
    images.sort_by_key(|image| list(image));
    let count = images.iter().filter(|image| **image == images[0]).count();
    (images.swap_remove(0), count as u32)
}

fn image(group: &SymmetryGroup, symmetry: u32, bytes: &[u8]) -> Vec<u8> {
    let mut image = vec![0; bytes.len()];
    group.apply(symmetry, bytes, &mut image);
    image
}

/// The direct form of a puzzle and its automorphisms; checks that the symmetry leads there.
fn direct(group: &SymmetryGroup, puzzle: &[u8]) -> (Vec<u8>, u32) {
    let mut forms = Forms::default();
    Canonizer::of_group(group).direct(Puzzles::one(puzzle), &mut forms).unwrap();
    let form = forms.get(0).unwrap().unwrap();
    let FormSymmetry::Group(symmetry) = form.symmetry else { panic!("a grid") };
    assert_eq!(image(group, symmetry, puzzle), form.cells);
    assert_eq!(form.kind, FormKind::Direct);
    (form.cells.to_vec(), form.automorphisms)
}

fn fault(problem: &str, text: &str) -> String {
    let problem: ExactCover = problem.parse().unwrap();
    SymmetryGroup::read(&problem, text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn queens_have_the_eight_symmetries_of_the_board() {
    for n in [2, 4, 5, 8] {
        let (problem, group) = queens(n);
        assert_eq!(group.order(), 8, "{n}");
        let all: HashSet<Vec<u32>> = (0..8).map(|symmetry| group.images(symmetry)).collect();
        assert_eq!(all.len(), 8);
        let options = problem.option_count() as u32;
        assert_eq!(group.images(0), (0..options).collect::<Vec<_>>());
        // Queens that attack each other still do.
        for images in &all {
            for (one, other) in (0..options).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let [one_image, other_image] = [one, other].map(|option| OptionId(images[option as usize]));
                assert_eq!(
                    problem.clash(OptionId(one), OptionId(other)),
                    problem.clash(one_image, other_image)
                );
            }
        }
    }
}

/// The example of the module.
#[test]
fn two_mirrors_generate_four_symmetries() {
    let text = "# four queens, mirrored left to right and top to bottom\n\
        (c0 c3) (c1 c2) (a1 b5) (a2 b4) (a3 b3) (a4 b2) (a5 b1)\n\
        (r0 r3) (r1 r2) (a1 b1) (a2 b2) (a3 b3) (a4 b4) (a5 b5)\n";
    let group = SymmetryGroup::read(&models::queens(4).unwrap(), text.as_bytes()).unwrap();
    assert_eq!(group.order(), 4);
}

#[test]
fn eight_queens_have_twelve_classes() {
    let (problem, group) = queens(8);
    let solutions = solutions(&problem);
    assert_eq!(solutions.len(), 92);
    let forms: HashMap<Vec<u8>, u32> = solutions.iter().map(|solution| direct(&group, solution)).collect();
    assert_eq!(forms.len(), 12);
    // The classes have 8 solutions each, but for the one that turns into itself by half a turn.
    let sizes: u32 = forms.values().map(|automorphisms| 8 / automorphisms).sum();
    assert_eq!(sizes, 92);
}

/// Random puzzles of five queens, and groups of other problems: forms are the least images, the same for all images,
/// and their own forms.
#[test]
fn forms_are_the_least_of_all_images() {
    let domino: ExactCover =
        "a b c d | x y\na b x:1\nb c x:1\nc d x:1\nd a x:1\na y\nb y\nc y\nd y\n".parse().unwrap();
    let turns = SymmetryGroup::read(&domino, b"(a b c d)").unwrap();
    assert_eq!(turns.order(), 4);
    let all: ExactCover =
        "a b c d e\na b\na c\na d\na e\nb c\nb d\nb e\nc d\nc e\nd e\na\nb\nc\nd\ne\n".parse().unwrap();
    let orders = SymmetryGroup::read(&all, b"(a b)\n(a b c d e)\n").unwrap();
    assert_eq!(orders.order(), 120);
    for (number, group) in [queens(5).1, turns, orders].iter().enumerate() {
        let mut chance = crate::chance::Chance::new(7, number as u64);
        for puzzle in 0..200 {
            let open = 1 + puzzle % 12;
            let bytes: Vec<u8> =
                (0..group.options()).map(|_| chance.below(open + 2).saturating_sub(open - 1) as u8).collect();
            let (expected, count) = least(group, &bytes);
            let (form, automorphisms) = direct(group, &bytes);
            assert_eq!((&form, automorphisms), (&expected, count));
            assert_eq!(direct(group, &form), (form, automorphisms));
            let other = group.random(3, 5, puzzle.into());
            assert_eq!(direct(group, &image(group, other, &bytes)), (expected, count));
        }
    }
}

/// By the solution: the least solution, and the least puzzle that goes with it.
#[test]
fn forms_by_the_solution_have_the_least_solution() {
    let (problem, group) = queens(5);
    let mut canonizer = Canonizer::of_group(&group);
    let mut chance = crate::chance::Chance::new(8, 0);
    for solution in solutions(&problem) {
        for _ in 0..20 {
            // A choice of the solution, or an option that is not in it.
            let byte = |&chosen: &u8| u8::from(chance.below(3) == 0) * (2 - chosen);
            let puzzle: Vec<u8> = solution.iter().map(byte).collect();
            let best =
                (0..8).map(|symmetry| [&solution, &puzzle].map(|bytes| image(&group, symmetry, bytes)));
            let best = best.min_by_key(|[solution, puzzle]| (list(solution), list(puzzle))).unwrap();
            let mut forms = Forms::default();
            let (one, known) = (Puzzles::one(&puzzle), Puzzles::one(&solution));
            canonizer.puzzles(one, known, &|_| true, &mut forms).unwrap();
            let form = forms.get(0).unwrap().unwrap();
            assert_eq!([form.solution.unwrap(), form.cells], [&best[0][..], &best[1][..]]);
            assert_eq!(form.kind, FormKind::Solution);
            assert_eq!(form.automorphisms, least(&group, &puzzle).1.min(form.automorphisms));
            assert_eq!(form.solution_automorphisms, Some(least(&group, &solution).1));
            canonizer.grids(known, &mut forms).unwrap();
            assert_eq!(forms.get(0).unwrap().unwrap().cells, best[0]);
        }
    }
    let mut forms = Forms::default();
    let (mut wrong, solution) = (vec![0; 25], solutions(&problem).swap_remove(0));
    wrong[solution.iter().position(|&byte| byte == 1).unwrap()] = 2;
    canonizer.puzzles(Puzzles::one(&wrong), Puzzles::one(&solution), &|_| true, &mut forms).unwrap();
    assert!(forms.get(0).unwrap().is_err());
    wrong[3] = 7;
    canonizer.direct(Puzzles::one(&wrong), &mut forms).unwrap();
    assert!(forms.get(0).unwrap().is_err());
}

/// The products of symmetries are symmetries, each one is there once, and cycles written from options generate the
/// same group.
#[test]
fn groups_are_closed() {
    let (problem, group) = queens(5);
    let all: Vec<Vec<u32>> = (0..8).map(|symmetry| group.images(symmetry)).collect();
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
        assert!(all.contains(&columns::after(one, other)));
        assert!(all.contains(&columns::inverse(one)));
    }
    for images in &all {
        let items = Incidence::of_items(&problem).images(images).unwrap();
        let mut line = String::new();
        cycles::push_cycles(&problem, &items, &mut line);
        let one = SymmetryGroup::read(&problem, line.as_bytes()).unwrap();
        assert_eq!(&one.images(u32::from(one.order() > 1)), images, "{line}");
    }
}

#[test]
fn orders_of_known_groups() {
    // The symmetric group of n things, with generators that are there already.
    for (n, order) in [(1, 1), (2, 2), (3, 6), (6, 720), (8, 40_320)] {
        let names: Vec<String> = (0..n).map(|item| format!("i{item}")).collect();
        let problem: ExactCover = format!("{}\n{}\n", names.join(" "), names.join("\n")).parse().unwrap();
        let cycle = format!("({})\n(i0)()\n({})", names.join(" "), names[..n.min(2)].join(" "));
        let text = format!("{cycle}\n{cycle}");
        let group = SymmetryGroup::read(&problem, text.as_bytes()).unwrap();
        assert_eq!(group.order(), order);
        let all: HashSet<Vec<u32>> = (0..order as u32).map(|symmetry| group.images(symmetry)).collect();
        assert_eq!(all.len() as u64, order);
    }
}

/// A run over records of a problem: with symmetries, and without.
#[test]
fn records_of_a_problem_have_forms() {
    let (problem, group) = queens(6);
    let rules = Rules::problem(problem);
    let stop = false.into();
    let rewriting = RewriteOptions::default().format(output::PAIR).stop(&stop);
    let notation = Notation::from(&rules);
    let mut text = Vec::new();
    for solution in solutions(rules.cover()) {
        // The solution, the solution with every other option forbidden, and two queens of it.
        let complete = solution.iter().map(|&byte| 2 - byte).collect();
        let chosen: Vec<usize> = (0..36).filter(|&option| solution[option] == 1).take(2).collect();
        let two = (0..36).map(|option| u8::from(chosen.contains(&option))).collect();
        for bytes in [solution, complete, two] {
            notation.write(&bytes, &mut text);
            text.push(b'\n');
        }
    }
    let forms = |group: Option<SymmetryGroup>, kind| {
        let classes = ClassOptions::default().kind(kind).group(group);
        let columns = CANON_COLUMNS.iter().take(1).collect();
        let options = CanonOptions::default().classes(classes).columns(columns);
        let mut run = canonize(&rules, rewriting, &options).unwrap();
        let mut out = Vec::new();
        let mut source = Source::stream("s", std::io::Cursor::new(text.clone()));
        run.read(&mut source, Part::WHOLE, &mut [&mut out], &mut ()).unwrap();
        let (_, counts) = run.finish(&mut [&mut out]).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let forms: Vec<String> =
            lines.lines().map(|line| line.split_once('\t').unwrap().1.to_owned()).collect();
        (forms, counts)
    };
    let different = |forms: &[String]| forms.iter().cloned().collect::<HashSet<_>>().len();
    for kind in [FormKind::Solution, FormKind::Direct] {
        let (same, _) = forms(None, kind);
        assert_eq!((same.len(), different(&same)), (12, 12));
        let (found, counts) = forms(Some(group.clone()), kind);
        // The four solutions are one class.
        for first in [0, 1] {
            let of_solutions: Vec<String> = found.iter().skip(first).step_by(3).cloned().collect();
            assert_eq!(different(&of_solutions), 1);
        }
        assert_eq!((counts.solution >= 8, counts.solution + counts.direct), (kind == FormKind::Solution, 12));
    }
    let other = CanonOptions::default().classes(ClassOptions::default().group(Some(queens(5).1)));
    let error = canonize(&rules, rewriting, &other).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "36 cells where the symmetry has 25");
}

/// The k-th of identical options goes to the k-th; options of other costs or colours are no images.
#[test]
fn options_map_onto_options_of_the_same_colours_and_costs() {
    let images = |problem: &str| {
        let problem: ExactCover = problem.parse().unwrap();
        SymmetryGroup::read(&problem, b"(a b)").unwrap().images(1)
    };
    assert_eq!(images("a b | x\na x:1\nb\nb x:1\na\na b\n"), [2, 3, 0, 1, 4]);
    assert_eq!(images("a b\na\nb\nb\na\na b\nb a\n"), [1, 0, 3, 2, 4, 5]);
    assert_eq!(images("a b\na |3\na |1\nb |1\nb |3\n"), [3, 2, 1, 0]);
}

#[test]
fn faults_say_where_and_what() {
    let problem = "a b 0:2|c | x y\na x:red\nb x:red\nc\nc x\nc y\n";
    let expect = |text: &str, expected: &str| assert_eq!(fault(problem, text), expected, "{text}");
    expect(
        "# d\n(a b) (c",
        "line 2, column 7: `(` without `)` (a cycle ends in the line where it begins, and has no brackets in it)",
    );
    expect(
        "(a (b",
        "line 1, column 1: `(` without `)` (a cycle ends in the line where it begins, and has no brackets in it)",
    );
    expect("(a b))", "line 1, column 6: `)` without `(` (a cycle is `(a b c)`)");
    expect(
        "\n (a b) c",
        "line 2, column 8: `c` is not in brackets (a line has cycles of items, as `(a b c) (d e)`)",
    );
    expect(
        "(a é)",
        "line 1, column 4: unknown item `é` (the problem names all items; a name with brackets cannot be written here)",
    );
    expect("(a b)(b)", "line 1, column 7: item `b` twice in one line (a line moves an item once)");
    expect(
        "(a x)",
        "line 1, column 4: one of `a` and `x` is primary, the other secondary (the items of a cycle are alike)",
    );
    expect("(a b c)", "line 1, column 6: `a` and `c` have different bounds (the items of a cycle are alike)");
    expect(
        "  (x y)",
        "line 1, column 3: option 1 `a x:red` has no image: no option is `a y:red` (a symmetry maps every option onto an option)",
    );
    assert_eq!(
        fault("a b\na |2\nb |3\n", "(a b)"),
        "line 1, column 1: option 1 `a |2` has no image: no option is `b |2` (a symmetry maps every option onto an option)"
    );
    assert_eq!(
        fault("a b\na\na\nb\n", "(a b)"),
        "line 1, column 1: option 2 `a` has no image: fewer options are `b` (a symmetry maps every option onto another option)"
    );
    let problem: ExactCover = problem.parse().unwrap();
    let error = SymmetryGroup::read(&problem, b"(a b)\n# \xff\n(a \xff)").unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 4: bytes that are not UTF-8 (names are UTF-8)");
    let name = "n".repeat(100);
    let error = SymmetryGroup::read(&problem, format!("({name})").as_bytes()).unwrap_err().to_string();
    assert!(error.contains(&format!("`{}...`", &name[..60])), "{error}");
}

#[test]
fn groups_are_limited() {
    let problem: ExactCover = "a b c d e\na\nb\nc\nd\ne\n".parse().unwrap();
    let text = b"(a b)\n(a b c d e)";
    let error = |symmetries, bytes| {
        SymmetryGroup::within(&problem, text, Limits { symmetries, bytes }).unwrap_err().to_string()
    };
    assert_eq!(
        error(119, 1 << 30),
        "line 2, column 1: the lines up to this one generate 120 symmetries or more, and the limit is 119"
    );
    assert_eq!(
        error(120, 1199),
        "line 2, column 1: the lines up to this one generate 120 symmetries or more of 5 options, which take more \
         than 1199 bytes"
    );
    let limits = Limits { symmetries: 120, bytes: 1200 };
    assert_eq!(SymmetryGroup::within(&problem, text, limits).unwrap().order(), 120);
}

#[test]
fn any_bytes_are_read_without_a_panic() {
    let problem: ExactCover = "a b | x y\na x\nb y\n".parse().unwrap();
    let mut chance = crate::chance::Chance::new(9, 0);
    for _ in 0..20_000 {
        let length = chance.below(12);
        let pieces: [&[u8]; 10] = [b"(", b")", b"a", b"b", b"x", b"y", b" ", b"\n", b"#", b"\xff"];
        let text: Vec<u8> = (0..length).flat_map(|_| pieces[chance.below(10) as usize]).copied().collect();
        let _ = SymmetryGroup::read(&problem, &text);
    }
    // A problem without options, and puzzles of other lengths.
    let group = SymmetryGroup::read(&ExactCover::default(), b"()").unwrap();
    assert_eq!((group.order(), group.images(3)), (1, Vec::new()));
    let group = SymmetryGroup::trivial(3);
    assert!(Canonizer::of_group(&group).direct(Puzzles::one(&[1]), &mut Forms::default()).is_err());
    group.apply(9, &[1, 2, 3, 4], &mut [0]);
}

/// All symmetries are drawn, about equally often, and the draw is pinned.
#[test]
fn random_symmetries_are_equally_likely() {
    let (_, group) = queens(5);
    let mut counts = [0_u32; 8];
    (0..8_000).for_each(|record| counts[group.random(1, record, 0) as usize] += 1);
    // 1,000 expected, standard deviation 30.
    assert!(counts.iter().all(|count| count.abs_diff(1_000) < 150), "{counts:?}");
    assert_ne!(
        (0..20).map(|image| group.random(1, 0, image)).collect::<Vec<_>>(),
        (0..20).map(|image| group.random(2, 0, image)).collect::<Vec<_>>()
    );
}

/// Different images are drawn until there is no other.
#[test]
fn images_are_distinct() {
    let (problem, group) = queens(5);
    for solution in solutions(&problem) {
        let (_, automorphisms) = least(&group, &solution);
        let images: HashSet<Vec<u8>> =
            group.distinct(4, 2, &solution).map(|symmetry| image(&group, symmetry, &solution)).collect();
        assert_eq!(images.len() as u32 * automorphisms, 8);
        assert_eq!(group.distinct(4, 2, &solution).count(), images.len());
    }
    assert_eq!(group.distinct(4, 2, &[0]).count(), 0);
}

/// A symmetry and the way back from another one, as cycles that are read again.
#[test]
fn products_are_written_as_cycles() {
    let (problem, group) = queens(5);
    let text = ItemText::new(&problem, &group);
    for (one, other) in (0..8).flat_map(|one| (0..8).map(move |other| (one, other))) {
        let read = SymmetryGroup::read(&problem, text.then_back(one, other).as_bytes()).unwrap();
        let expected = after(&group.images(one), &inverse(&group.images(other)));
        assert_eq!(read.images(u32::from(read.order() > 1)), expected);
    }
    assert_eq!(text.then_back(3, 3), "()");
}
