//! `galop generate`. Other kinds and sizes are in kinds.rs.

use crate::common::program::Folder;

#[test]
fn generated_puzzles_are_the_same_everywhere() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        folder.run(&[&["generate", "-n", "200", "--seed", "3"], words].concat()).ends(0, &[]).out
    };
    let one = make(&["-j", "1"]);
    assert_eq!(one, make(&["-j", "2"]));
    assert!(one.lines().count() == 200 && one.lines().all(|line| line.len() == 81));
    for line in one.lines() {
        assert!((28..=36).contains(&line.bytes().filter(|&byte| byte != b'.').count()), "the default range");
    }
    make(&["-o", "out.txt"]);
    assert_eq!(folder.read("out.txt"), one);
    assert_ne!(one, folder.run(&["generate", "-n", "200", "--seed", "4"]).out);

    let pairs = make(&["--pairs", "--minimal"]);
    folder.run_on(pairs, &["verify", "--unique"]).ends(0, &["200 right, 0 faulty"]);
    assert_eq!(folder.run(&["generate", "-n", "0", "-s", "1"]).ends(0, &[]).out, "");
    let many = folder.run(&["generate", "-n", "5", "-s", "1", "--clues", "81"]).ends(0, &[]).out;
    assert!(!many.contains('.'));
}
