//! Files as people have them, from reports, forums and data sets: each is read as it was meant, or refused with its kind.

use galop_testing::available::large_set;

use crate::program::Folder;

#[test]
fn files_of_people_are_read_or_named() {
    let Some(files) = large_set("public") else { return };
    let folder = Folder::new();
    for row in include_str!("public.tsv").lines().filter(|row| !row.starts_with('#')) {
        let [command, file, code, words] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let path = files.join(file);
        let command: Vec<&str> = command.split(' ').chain([path.to_str().unwrap()]).collect();
        let run = folder.run(&command);
        assert_eq!(run.code.map(|code| code.to_string()).as_deref(), Some(code), "{file}: {}", run.err);
        let said = run.err.replace(&format!(" from {}", path.display()), "");
        assert!(said.contains(words), "{file}: {words} is not in {said}");
    }
}
