//! `galop cover`: large counts, and the memory that they may take.

use crate::made;
use crate::program::{Folder, run_cover as run};

#[test]
fn boards_are_swept() {
    let counted = run(&Folder::new(), &made("dominoes 16x16"), &["-v"], 0);
    assert_eq!(counted.out, "2444888770250892795802079170816\n");
    assert!(counted.err.contains("then engine sweep"), "{}", counted.err);
}

#[test]
fn little_memory_changes_no_count() {
    let [small, large] = ["6x6", "8x8"].map(|size| made(&format!("dominoes {size}")));
    for (memory, board, count) in [
        ("0", &small, "6728\n"),
        ("4K", &small, "6728\n"),
        ("128K", &large, "12988816\n"),
        ("1m", &large, "12988816\n"),
        ("4G", &large, "12988816\n"),
    ] {
        for threads in ["-j1", "-j4"] {
            let counted = run(&Folder::new(), board, &["-q", threads, "--memory", memory], 0);
            assert_eq!(counted.out, count, "{memory} {threads}");
        }
    }
}

#[test]
fn a_size_that_is_none_is_refused() {
    let refused = run(&Folder::new(), "", &["--memory", "4X"], 2);
    assert!(refused.err.contains("`4X` is not a number of bytes, such as 64M or 2G"), "{}", refused.err);
}
