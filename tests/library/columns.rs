//! Which columns of a table, or keys of JSON objects, are read; which columns are written; and answers that the input
//! gives.

use galop_batch::input::{ColumnChoice, InputError, detect_rules};
use galop_batch::pipeline::{SolveOptions, SolveOutcome};
use galop_batch::{Error, output};
use galop_engines::grid::Variant;
use galop_engines::puzzle::{Limits, Status};

use crate::{solve, stream};
use galop_testing::engines::named;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

/// The answers in an output format, with these columns, to an input whose columns are chosen.
fn run(
    input: &str,
    format: &str,
    columns: &str,
    choice: [Option<&str>; 2],
) -> Result<(String, SolveOutcome), Error> {
    let columns: Vec<_> = columns
        .split(',')
        .filter(|name| !name.is_empty())
        .map(|name| output::column(name).unwrap())
        .collect();
    let options = SolveOptions::default()
        .format(output::format(format).unwrap())
        .columns((!columns.is_empty()).then_some(&columns))
        .times(false);
    let mut source = stream(input);
    let [puzzle, answer] = choice.map(|name| name.map(str::to_owned));
    source.choose_columns(ColumnChoice { puzzle, answer });
    solve(&mut source, named("bitboard"), options)
}

fn csv(input: &str) -> (String, SolveOutcome) {
    run(input, "csv", "", [None; 2]).unwrap()
}

/// Tables of the shapes of public data sets: what comes out has all their columns, and reads back.
#[test]
fn tables_of_public_data_sets_keep_their_columns() {
    let zeros = PUZZLE.replace('.', "0");
    for (header, row, puzzle, answer) in [
        ("quizzes,solutions", format!("{zeros},{SOLUTION}"), "quizzes", Some("solutions")),
        ("puzzle,solution", format!("{zeros},{SOLUTION}"), "puzzle", Some("solution")),
        (
            "id,puzzle,solution,clues,difficulty",
            format!("1,{PUZZLE},{SOLUTION},27,2.2"),
            "puzzle",
            Some("solution"),
        ),
        (
            "source,question,answer,rating",
            format!("puzzles0_kaggle,{PUZZLE},{SOLUTION},0"),
            "question",
            Some("answer"),
        ),
        (
            "\"source\",\"q\",\"a\",\"rating\"",
            format!("\"x, y\",\"{PUZZLE}\",\"{SOLUTION}\",\"3\""),
            "q",
            Some("a"),
        ),
        ("id;board;level", format!("7;{PUZZLE};\"hard\nest\""), "board", None),
        (",sudoku_puzzle,solved", format!("0,{zeros},{SOLUTION}"), "sudoku_puzzle", Some("solved")),
        ("Initial\tRating", format!("{PUZZLE}\t1.5"), "Initial", None),
        ("unsolved,input", format!("{PUZZLE},x"), "unsolved", None),
        ("rating,givens,note", format!("1,{PUZZLE},"), "givens", None),
        ("problem\tlevel", format!("{zeros}\teasy"), "problem", None),
        ("start,end", format!("{PUZZLE},{SOLUTION}"), "start", Some("end")),
    ] {
        let table = format!("{header}\n{}", format!("{row}\n").repeat(3));
        let delimiter = header.chars().find(|c| ",;\t".contains(*c)).unwrap();
        let (out, outcome) = csv(&table);
        let taken = outcome.inputs[0].columns.clone().unwrap();
        assert_eq!((&*taken.puzzle, taken.answer.as_deref()), (puzzle, answer), "{header}");
        let expected = format!("{row},{SOLUTION},solved,1,0,\n");
        let row = expected.replace(delimiter, ",");
        assert_eq!(out.split_once('\n').unwrap().1, row.repeat(3));
        assert!(out.starts_with(&header.replace(delimiter, ",")) && outcome.malformed.is_empty());
        assert_eq!(outcome.answers.given, if answer.is_some() { 3 } else { 0 }, "{header}");
        // Its own output is a table of the same records.
        let (_, outcome) = csv(&out);
        assert_eq!(outcome.tally.of(Status::Solved), 3, "{out}");
        assert_eq!(outcome.answers, galop_batch::pipeline::AnswerCounts { given: 3, wrong: 0 });
    }
}

#[test]
fn an_unclear_or_unknown_column_is_an_error_with_the_names() {
    let error = |input: &str, choice| run(input, "pair", "", choice).unwrap_err();
    let none = [None; 2];
    let two = format!("# two\neasy,hard\n{PUZZLE},{PUZZLE}\n");
    let unclear = error(&two, none);
    let message =
        "file:2: it is not clear which column holds the puzzles; the columns are 1 `easy`, 2 `hard`";
    assert_eq!(unclear.to_string(), message);
    assert!(matches!(unclear.fact(), Some(InputError::UnclearColumn { .. })));
    // A field that is no puzzle: no column is sure.
    let broken = format!("name,level\n{PUZZLE},1\nrubbish,2\n");
    assert!(error(&broken, none).to_string().starts_with("file:1: it is not clear"));
    for (choice, name) in [([Some("medium"), None], "medium"), ([Some("hard"), Some("3")], "3")] {
        let unknown = error(&two, choice).to_string();
        assert_eq!(unknown, format!("file:2: no column is `{name}`; the columns are 1 `easy`, 2 `hard`"));
    }
    let objects = format!("{{\"a\":\"{PUZZLE}\",\"b\":\"{PUZZLE}\"}}\n");
    assert!(error(&objects, none).to_string().ends_with("the columns are 1 `a`, 2 `b`"));
    assert!(error("{\"id\":1}\n", none).to_string().ends_with("the columns are 1 `id`"));
    let many: Vec<String> = (0..100).map(|column| format!("c{column}")).collect();
    let wide = format!("{}\n{}\n", many.join(","), vec![PUZZLE; 50].join(","));
    assert!(error(&wide, [Some("x"), None]).to_string().ends_with("30 `c29` and 70 more"));
}

/// Lines that are no header stay lines.
#[test]
fn what_looks_like_no_header_is_no_header() {
    for first in [
        "rubbish,malformed",
        "rubbish",
        "1,2",
        "a,a",
        "Hardest list: a very long line that nobody takes, for a name",
    ] {
        let (_, outcome) = csv(&format!("{first}\n{PUZZLE},{SOLUTION}\n"));
        assert_eq!((outcome.inputs[0].format, outcome.tally.of(Status::Malformed)), ("lines", 1), "{first}");
    }
}

#[test]
fn columns_are_chosen_by_name_or_number() {
    let table = format!("easy,Hard,answer,mine\n{PUZZLE},{},{SOLUTION},{SOLUTION}\n", contradictory());
    let status = |choice| run(&table, "csv", "status", choice).unwrap().1;
    assert_eq!(status([Some("EASY"), None]).tally.of(Status::Solved), 1);
    assert_eq!(status([Some("2"), None]).tally.of(Status::None), 1);
    let columns = status([Some("1"), Some("mine")]).inputs[0].columns.clone().unwrap();
    assert_eq!((&*columns.puzzle, columns.answer.as_deref()), ("easy", Some("mine")));
    // A table without a header gets one.
    let rows = format!("a,{PUZZLE},{SOLUTION}\nb,{PUZZLE}\n");
    let (out, outcome) = run(&rows, "csv", "status", [Some("2"), None]).unwrap();
    let expected =
        format!("column_1,puzzle,answer,status\na,{PUZZLE},{SOLUTION},solved\nb,{PUZZLE},,solved\n");
    assert_eq!((out, outcome.inputs[0].lines, outcome.answers.given), (expected, 2, 1));
    let error = run(&rows, "csv", "", [Some("board"), None]).unwrap_err().to_string();
    assert!(error.ends_with("the columns are 1 `column_1`, 2 `column_2`, 3 `column_3`"), "{error}");
    // The size is that of the chosen column.
    let large = format!("small,large\n{PUZZLE},1G{}\n", ".".repeat(254));
    let mut source = stream(large);
    source.choose_columns(ColumnChoice { puzzle: Some("large".into()), answer: None });
    let rules = detect_rules(&mut [source], &Variant::default(), None).unwrap();
    assert_eq!(rules.grid().cells(), 256);
}

#[test]
fn wrong_answers_are_named_and_have_a_status() {
    let (wrong, open) = (SOLUTION.replacen("41", "14", 1), open_puzzle());
    // Rows 1 and 2 of the open puzzle are blank and may change places: another right answer.
    let other = format!("{}{}{}", &SOLUTION[9..18], &SOLUTION[..9], &SOLUTION[18..]);
    let rows = [
        format!("{PUZZLE},{SOLUTION},a"),
        format!("{PUZZLE},{wrong},b"),
        format!("{PUZZLE},,c"),
        format!("{PUZZLE},none,d"),
        format!("{open},{other},e"),
        format!("{},{SOLUTION},f", contradictory()),
        format!("\"{PUZZLE}\",\"{wrong}\",\"g\nh\""),
    ];
    let table = format!("puzzle,answer,x\n{}\n", rows.join("\n"));
    let (out, outcome) = run(&table, "csv", "line,status", [None; 2]).unwrap();
    let statuses: Vec<&str> = out.lines().filter_map(|line| line.rsplit(',').next()).collect();
    let expected = ["status", "solved", "differs", "solved", "solved", "solved", "none", "\"g", "differs"];
    assert_eq!(statuses, expected, "{out}");
    assert!(out.ends_with("h\",8,differs\n"), "{out}");
    assert_eq!((outcome.answers.given, outcome.answers.wrong), (5, 3));
    let places: Vec<String> = outcome.wrong_answers.iter().map(ToString::to_string).collect();
    let wrong = "the given answer is wrong: row 1, column 1 holds 1, but the clue is 4";
    assert_eq!(places[0], format!("file:3:83: {wrong}"));
    assert!(
        places[1].starts_with("file:7:83: the given answer is wrong")
            && places[2] == format!("file:8:86: {wrong}")
    );
    // What is counted and printed otherwise stays.
    assert_eq!(outcome.tally.of(Status::Solved), 6);
    let (pairs, _) = run(&table, "pair", "", [None; 2]).unwrap();
    assert!(pairs.starts_with(&format!("{PUZZLE},{SOLUTION}\n{PUZZLE},{SOLUTION}\n")));
    // Plain lines are not compared.
    let lines = format!("{PUZZLE},{}\n", "1".repeat(81));
    assert_eq!(run(&lines, "csv", "", [None; 2]).unwrap().1.answers.given, 0);
}

#[test]
fn chosen_columns_come_in_their_order() {
    let columns = "clues,source,line,guesses_first,guesses,count,puzzle";
    let lines = format!("# comment\n\n{PUZZLE}\nrubbish\n");
    let (out, _) = run(&lines, "csv", columns, [None; 2]).unwrap();
    assert_eq!(out, format!("{columns}\n17,file,3,0,0,1,{PUZZLE}\n,file,4,,0,0,\"rubbish\"\n"));
    let (out, _) = run(&format!("id,puzzle,line\n7,{PUZZLE},x\n"), "csv", "line,clues", [None; 2]).unwrap();
    assert_eq!(out, format!("id,puzzle,line,galop_line,clues\n7,{PUZZLE},x,2,17\n"));
    let (out, _) = run(PUZZLE, "json", "count,solution,micros", [None; 2]).unwrap();
    assert_eq!(out, format!("{{\"count\":1,\"solution\":\"{SOLUTION}\",\"micros\":null}}\n"));
}

/// The guesses before the first solution are those of a run that ends there.
#[test]
fn the_first_guesses_are_those_of_a_search_for_one_solution() {
    let open = ".".repeat(81);
    let lines = format!("{open}\n{PUZZLE}\n{}\n{}\n", contradictory(), open_puzzle());
    let columns = ["guesses_first", "guesses"].map(|name| output::column(name).unwrap());
    for engine in ["bitboard", "dlx"] {
        let guesses = |limits| {
            let format = output::format("csv").unwrap();
            let options = SolveOptions::default().limits(limits).format(format).columns(Some(&columns));
            let (out, _) = solve(&mut stream(&*lines), named(engine), options).unwrap();
            let rows = out.lines().skip(1).map(|line| line.split_once(',').unwrap());
            rows.map(|(first, all)| (first.to_owned(), all.to_owned())).collect::<Vec<_>>()
        };
        let (one, two) = (guesses(Limits::ANY), guesses(Limits::UNIQUE));
        for ((first, all), (first_of_two, all_of_two)) in one.iter().zip(&two) {
            assert!(first.is_empty() || first == all, "{engine}");
            assert_eq!(first, first_of_two);
            assert!(all.parse::<u64>().unwrap() <= all_of_two.parse().unwrap());
        }
        assert_eq!(one[2].0, "", "no solution");
    }
}
