//! `galop cover`.

use serde_json::{Value, json};

use crate::program::{Folder, Run, path, run_cover as run};
use crate::{made, puzzles};

/// A problem with one solution, of three options.
const SMALL: &str = "| a comment\nA B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1 |4\nC X:0\nB X:1\nC Y:1 |2\n";

#[test]
fn solutions_are_counted_unless_they_are_wanted() {
    let folder = Folder::with(&[("small.dlx", SMALL), ("queens8.dlx", &made("queens 8"))]);
    let counted = run(&folder, "", &["small.dlx"], 0);
    assert_eq!(counted.out, "1\n");
    // One line says what was found; -v adds the size of the search.
    assert!(counted.err.starts_with("small.dlx: 1 solution in "), "{}", counted.err);
    assert_eq!(counted.err.lines().count(), 1, "{}", counted.err);
    let verbose = run(&folder, "", &["count", "-v", "small.dlx"], 0).err;
    for words in ["1 solution in", "3 + 2 items, 5 options", "nodes", "ticks", "depth"] {
        assert!(verbose.contains(words), "{words:?} is not in\n{verbose}");
    }
    // A file with the name of a command has a path.
    folder.write("list", SMALL);
    assert_eq!(run(&folder, "", &["-q", "./list"], 0).out, "1\n");
    let both = run(&folder, "", &["-q", "small.dlx", "queens8.dlx"], 0);
    assert_eq!((&*both.out, &*both.err), ("small.dlx:1\nqueens8.dlx:92\n", ""));
    for words in
        [&["-q", "-"][..], &["-q"], &["count", "-q", "--engine", "links"], &["count", "-q", "-j", "2", "-"]]
    {
        assert_eq!(run(&folder, SMALL, words, 0).out, "1\n");
    }
}

#[test]
fn puzzles_are_solved_by_another_command() {
    let folder = Folder::with(&[("p.txt", &puzzles(3)), ("one.txt", &puzzles(1))]);
    for name in ["p.txt", "one.txt"] {
        let err = run(&folder, "", &[name], 2).err;
        assert!(
            err.contains(&format!(
                "{name}: these are puzzles, not an exact cover problem; solve them: galop solve {name}"
            )),
            "{err}"
        );
    }
}

#[test]
fn a_solution_is_a_line_of_options_in_the_words_of_the_file() {
    let folder = Folder::with(&[("small.dlx", SMALL), ("queens6.dlx", &made("queens 6"))]);
    let line = "A C X:1 Y:1 | B X:1 | C Y:1\n";
    assert_eq!(run(&folder, "", &["list", "small.dlx"], 0).out, line);
    assert_eq!(run(&folder, "", &["list", "--limit", "7", "small.dlx"], 0).out, line);
    run(&folder, "", &["list", "-o", "out.txt", "small.dlx"], 0);
    assert_eq!(folder.read("out.txt"), line);
    let all = run(&folder, "", &["list", "--ordered", "-j", "1", "queens6.dlx"], 0).out;
    assert_eq!(all.lines().count(), 4);
    assert_eq!(run(&folder, "", &["list", "--ordered", "-j", "3", "queens6.dlx"], 0).out, all);
    let first = run(&folder, "", &["list", "--limit", "2", "-j", "1", "queens6.dlx"], 0);
    assert!(all.starts_with(&first.out) && first.out.lines().count() == 2);
    assert!(!first.err.contains("warning"), "the limit was wanted: {}", first.err);
    assert_eq!(run(&folder, "A B\nA\n", &["list", "-q"], 0).out, "");
}

/// Their nodes add up, and a runner that finds a solution is named.
#[test]
fn verbose_and_json_say_what_each_stage_took() {
    let folder = Folder::with(&[("queens10.dlx", &made("queens 10"))]);
    let counted = run(&folder, "", &["-v", "-j", "1", "queens10.dlx"], 0);
    let line = counted.err.lines().find(|line| line.contains("stages: ")).unwrap_or_default();
    assert!(line.starts_with("queens10.dlx: stages: try ") && line.contains(" ticks, "), "{}", counted.err);
    let counted = run(&folder, "", &["-f", "json", "-j", "1", "queens10.dlx"], 0);
    let end: Value = serde_json::from_str(&counted.out).unwrap();
    let stages = end["stages"].as_array().unwrap();
    assert_eq!(stages[0]["name"], "try");
    for figure in ["nodes", "ticks"] {
        assert_eq!(stages.iter().map(|stage| stage[figure].as_u64().unwrap()).sum::<u64>(), end[figure]);
    }
    assert!(stages.iter().all(|stage| stage["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0)));
}

#[test]
fn json_has_an_object_for_each_solution_and_one_at_the_end() {
    let folder = Folder::with(&[("small.dlx", SMALL)]);
    let run = run(&folder, "", &["list", "-f", "json", "-j", "1", "-e", "links", "small.dlx"], 0);
    let objects: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let options = json!(["A C X:1 Y:1", "B X:1", "C Y:1"]);
    let solution =
        json!({"file": "small.dlx", "solution": 1, "options": options, "numbers": [1, 3, 4], "cost": 6});
    assert_eq!(objects[0], solution);
    let end = &objects[1];
    assert_eq!(
        (&end["solutions"], &end["end"], &end["engine"]),
        (&json!(1), &json!("complete"), &json!("links"))
    );
    let nodes: u64 = end["depths"].as_array().unwrap().iter().map(|nodes| nodes.as_u64().unwrap()).sum();
    assert_eq!(end["nodes"], json!(nodes));
    assert_eq!(objects.len(), 2);
}

#[test]
fn a_count_that_a_limit_stopped_is_a_lower_bound_and_ends_with_4() {
    let folder = Folder::with(&[("long.dlx", &made("matching 30")), ("small.dlx", SMALL)]);
    let stopped = run(&folder, "", &["--max-nodes", "1000", "-q", "long.dlx"], 4);
    assert!(stopped.err.contains("long.dlx: stopped by --max-nodes"), "{}", stopped.err);
    let count = stopped.out.strip_prefix(">=").unwrap();
    assert!(count.trim_end().parse::<u64>().unwrap() > 0);
    assert_eq!(run(&folder, "", &["--max-nodes", "0", "-q", "long.dlx"], 4).out, ">=0\n");
    let loud = run(&folder, "", &["--max-nodes", "0", "long.dlx"], 4);
    assert!(loud.err.contains("long.dlx: >=0 solutions in "), "{}", loud.err);
    // Of several files, the complete count is exact, and the code says that one is not.
    let both = run(&folder, "", &["--max-nodes", "1000", "-q", "small.dlx", "long.dlx"], 4);
    assert!(both.out.starts_with("small.dlx:1\nlong.dlx:>="), "{}", both.out);
    let stopped = run(&folder, "", &["--time-limit", "0.05", "-q", "--format", "json", "long.dlx"], 4);
    assert!(stopped.err.contains("long.dlx: stopped by --time-limit"), "{}", stopped.err);
    let end: Value = serde_json::from_str(&stopped.out).unwrap();
    assert_eq!((&end["end"], &end["is_lower_bound"]), (&json!("deadline"), &json!(true)));
    let end: Value =
        serde_json::from_str(&run(&folder, "", &["-q", "-f", "json", "small.dlx"], 0).out).unwrap();
    assert_eq!((&end["end"], &end["is_lower_bound"]), (&json!("complete"), &json!(false)));
    // A list is partial, too. The number of --limit is what the user wants, but there may be more solutions.
    run(&folder, "", &["list", "--max-nodes", "1000", "-q", "long.dlx"], 4);
    let first = run(&folder, "", &["list", "--limit", "1", "long.dlx"], 0);
    assert_eq!(first.out.lines().count(), 1);
    assert!(first.err.contains("long.dlx: >=1 solution in "), "{}", first.err);
    for command in ["list", "best"] {
        run(&folder, "", &[command, "--limit", "0", "long.dlx"], 2);
    }
}

/// A reader that takes three solutions and leaves. The solutions after them are not counted as printed.
#[cfg(unix)]
#[test]
fn after_a_closed_pipe_no_unwritten_solution_is_claimed() {
    let folder = Folder::with(&[("long.dlx", &made("queens 12"))]);
    for words in ["list", "list -j 1", "list --limit 500"] {
        let script = format!(r#""$0" cover {words} long.dlx | {{ read -r a; read -r b; read -r c; }}"#);
        let mut shell = folder.start("sh", &["-c", &script, path()]);
        let err = Run::of(&mut shell).err;
        assert!(!err.contains("solution"), "{words}: {err}");
    }
}

#[test]
fn errors_name_path_line_and_column() {
    let folder = Folder::with(&[("bad.dlx", "| items\nA B | X\nA X:1\nB Q\n")]);
    let refused = run(&folder, "", &["bad.dlx"], 2);
    assert_eq!(
        (&*refused.out, refused.err.contains("bad.dlx:4:3: unknown item `Q`")),
        ("", true),
        "{}",
        refused.err
    );
    let refused = run(&folder, "A 0|B\n", &["-"], 2);
    assert!(refused.err.contains("<stdin>:1:3: item `B` could never be covered"), "{}", refused.err);
    assert!(run(&folder, "", &["gone.dlx"], 2).err.contains("gone.dlx: cannot read"));
    assert!(run(&folder, "", &["-", "-"], 2).err.contains("only once"));
    run(&folder, SMALL, &["-q", "list"], 2);
    run(&folder, SMALL, &["--engine", "none"], 2);
    run(&folder, SMALL, &["--time-limit", "-1"], 2);
}

#[test]
fn files_that_are_not_problems_are_refused() {
    let folder = Folder::with(&[("empty.dlx", ""), ("comments.dlx", "| nothing\n\n"), ("small.dlx", SMALL)]);
    assert!(run(&folder, "", &["empty.dlx"], 2).err.contains("empty.dlx:1:1: no primary items"));
    assert!(run(&folder, "", &["comments.dlx"], 2).err.contains("comments.dlx:3:1: no primary items"));
    assert!(run(&folder, "", &["-"], 2).err.contains("<stdin>:1:1: no primary items"));
    folder.write("bytes.dlx", b"A\xff\xfe\x80\n\0");
    let refused = run(&folder, "", &["bytes.dlx"], 2).err;
    assert!(refused.contains("bytes.dlx:1:2: bytes that are not UTF-8"), "{refused}");
    folder.write("packed.gz", b"\x1f\x8b\x08\0\0\xff\xfe\x80\n\0");
    let refused = run(&folder, "", &["packed.gz"], 2).err;
    assert!(refused.contains("packed.gz: its gzip data are cut short"), "{refused}");
    assert!(run(&folder, "", &["."], 2).err.contains("cannot read"));
    // The error about a line of a million characters shows the beginning of the line only.
    folder.write("line.dlx", format!("A\n{}\n", "x".repeat(1_000_000)));
    let refused = run(&folder, "", &["line.dlx"], 2).err;
    assert!(refused.contains("line.dlx:2:1: unknown item `xxx") && refused.len() < 300, "{refused}");
    // The answers to the files before a bad one are written.
    let half = run(&folder, "", &["-q", "small.dlx", "empty.dlx"], 2);
    assert_eq!(half.out, "small.dlx:1\n");
}

/// (That all engines find the same is tested beside them.)
#[test]
fn an_engine_that_only_counts_lists_nothing() {
    let folder = Folder::with(&[("p.dlx", &made("pentominoes 3x20"))]);
    assert_eq!(run(&folder, "", &["-q", "-e", "rows", "p.dlx"], 0).out, "8\n");
    let refused = run(&folder, "", &["list", "-e", "rows", "p.dlx"], 2);
    let remedy = "it only counts solutions";
    assert!(refused.out.is_empty() && refused.err.contains(remedy), "{}", refused.err);
    assert!(refused.err.contains("--engine auto chooses one that can"), "{}", refused.err);
}

#[test]
fn dropped_options_are_reported_and_with_v_the_engine() {
    let folder = Folder::new();
    let dropped = run(&folder, "A | X\nX\nA\nX:1\n", &["-q"], 0);
    assert_eq!(dropped.out, "1\n");
    assert!(
        dropped.err.contains("dropped: lines 2, 4; the numbers of options do not count them"),
        "{}",
        dropped.err
    );
    let verbose = run(&folder, "A\nA\n", &["-v", "--engine", "links"], 0);
    assert!(verbose.err.contains("<stdin>: engine links: it was requested"), "{}", verbose.err);
    let verbose = run(&folder, "A\nA\n", &["-v"], 0);
    assert!(
        verbose.err.starts_with("<stdin>: engine ") && !verbose.err.contains("requested"),
        "{}",
        verbose.err
    );
    let bar = run(&folder, "A\nA\n", &["--progress", "always"], 0);
    assert_eq!(bar.out, "1\n");
}

/// Each of many items has one or two options: nodes are linear in the items, and 2 GB of memory suffice. Sparse sets
/// keep a journal of changes then, because the sizes of all items at all levels would take 40 GB.
#[cfg(target_os = "linux")]
#[test]
fn many_items_take_linear_time_and_memory() {
    let (folder, count) = (Folder::new(), 100_000);
    for options in [1, 2] {
        let mut text: String = (0..count).map(|item| format!("i{item} ")).collect();
        text.push('\n');
        (0..count).for_each(|item| text += &format!("i{item}\n").repeat(options));
        folder.write("many.dlx", text);
        let script = r#"ulimit -v 2000000; exec "$0" cover list -q --limit 1 -j 2 many.dlx"#;
        let first = Run::of(&mut folder.start("sh", &["-c", script, path()])).ends(0, &[]);
        assert_eq!(first.out.matches(" | ").count(), count - 1);
    }
    let stopped = run(&folder, "", &["-e", "sparse", "--max-nodes", "1000", "many.dlx"], 4);
    assert_eq!(stopped.out, ">=0\n");
}
