//! The examples of each command, which its help and its manual page end with. A test runs all of them.

/// Commands with their examples.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (
        "solve",
        "\
  galop solve puzzles.txt -o solved.txt
  galop solve -u puzzles.txt -f csv            also show whether each solution is the only one
  galop solve puzzles.txt -f json --guesses 5..
  galop solve 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop solve -e singles --all puzzles.txt     every solution, in the order of Sinai's program
  galop solve puzzles.txt -o solved.txt.zst --report run.html",
    ),
    (
        "convert",
        "\
  galop convert puzzles.txt -o puzzles.csv
  galop convert puzzles.txt -f grid            drawn grids
  galop convert train.csv -o train.npz",
    ),
    (
        "canon",
        "\
  galop canon puzzles.txt -o canonical.csv
  galop canon puzzles.txt | cut -d, -f2 | sort -u | wc -l    count the classes",
    ),
    (
        "augment",
        "\
  galop augment train.csv --times 10 --seed 1 -o more.csv
  galop augment puzzles.txt --seed 1           one image of each puzzle",
    ),
    (
        "dedup",
        "\
  galop dedup puzzles.txt -o different.txt
  galop dedup train.csv -o unique.csv --dropped dropped.txt",
    ),
    (
        "leak",
        "\
  galop leak train.csv test.csv                nothing is printed if they share nothing",
    ),
    (
        "split",
        "\
  galop split train.csv --test 0.1 --seed 1 -o most.csv --test-output rest.csv",
    ),
    (
        "sample",
        "\
  galop sample train.csv -n 2 --seed 1 -o some.csv
  galop sample train.csv --share 10% --seed 1",
    ),
    (
        "rate",
        "\
  galop rate puzzles.txt -o rated.csv
  galop rate puzzles.txt --by techniques       level, score and hardest technique
  galop rate --by techniques 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop rate train.csv --symmetries 10 --seed 1",
    ),
    (
        "verify",
        "\
  galop verify solved.txt
  galop verify --unique solved.txt             also prove that each solution is the only one
  galop verify puzzles.txt                     puzzles alone: do they have a solution?
  galop verify train.csv --answer-column solution",
    ),
    (
        "generate",
        "\
  galop generate -n 10 --seed 7                ten puzzles; the same seed makes the same puzzles
  galop generate -n 5 --level hard --seed 1    puzzles that need pairs, triples or quads
  galop generate -n 5 --minimal --guesses 3.. --seed 1 -o hard.txt
  galop generate -n 5 --clues 24..26 --symmetric rotate180 --seed 1
  galop generate -n 2 --kind diagonal --seed 1
  galop generate -n 2 --kind diagonal+anti-knight --seed 1
  galop generate -n 2 --regions map.txt --seed 1",
    ),
    (
        "compare",
        "\
  galop compare puzzles.txt
  galop compare puzzles.txt -e lanes,bitboard,norvig --report compare.html
  galop compare puzzles.txt -e norvig,singles --as-is -r 1    the calls that their authors publish
  galop compare puzzles.txt -e all --budget 0.1 --per-puzzle times.csv",
    ),
    (
        "explain",
        "\
  galop explain 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop explain --format json puzzles.txt          one step per line, for programs
  galop explain --draw --up-to locked puzzles.txt  draw each step; stop where pairs or more are needed
  galop explain --without x-wing,aic puzzles.txt   use other techniques instead of these",
    ),
    (
        "hint",
        "\
  galop hint 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop hint --draw 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    ),
    (
        "show",
        "\
  galop show 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  galop solve -q puzzles.txt | galop show -    with the solutions beside the puzzles
  galop show --candidates puzzles.txt          the pencil marks of the clues
  galop show --up-to locked puzzles.txt        the candidates that singles and locked candidates leave",
    ),
    (
        "serve",
        "\
  galop serve             the page is http://127.0.0.1:8117/
  galop serve --port 0    any free port, which the first line names",
    ),
    (
        "cover",
        "\
  galop cover problem.dlx                                  count the solutions
  galop make queens 6 | galop cover list                   print them
  galop make queens 100 | galop cover list --limit 1 --seed 7
                                               print one; another seed, another solution
  galop make queen-costs 12 | galop cover best --limit 3
                                               the three of least total cost: 455 each
  printf 'a b | c\\na c:1\\nb c:1\\nb c:2\\n' | galop cover list
                                               a and b once each, c in one colour: `a c:1 | b c:1`
  galop make dominoes 16x16 | galop cover sample -n 10 --seed 1 -f picture
                                               ten random tilings, as pictures
  galop cover diagram problem.dlx --marginals  how many solutions each option is in
  galop cover problem.dlx --shard 3/10 --resume -o part3.txt
                                               the third of ten parts; goes on after an interrupt",
    ),
    (
        "make",
        "\
  galop make queens 12 | galop cover -              count the solutions: 14200
  galop make mixed 5x6 6 | galop cover list --limit 1    print one solution, an option for each piece
  galop make pentominoes 6x10 -o pent6x10.dlx
  galop make sudoku puzzles.txt | galop cover -     count the solutions of the first puzzle",
    ),
    (
        "engines",
        "\
  galop engines                                with the limit on guesses of each engine",
    ),
    (
        "completions",
        "\
  galop completions bash > galop.bash",
    ),
    (
        "man",
        "\
  galop man solve > galop-solve.1",
    ),
];
