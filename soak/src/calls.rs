//! The calls that only the engine `lanes` has: every solution of a puzzle, and another solution than a known one.

use std::collections::HashSet;
use std::ops::ControlFlow;

use galop_engines::engine::{Isa, LanesEngine};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, WrongLength};

use crate::Disagreement;
use crate::batch::{Answered, Case, Named};

/// Solutions of a puzzle that are listed. A puzzle with more is not.
const MOST: u64 = 500;

/// Compares these calls with the answers of `first` to `puzzles`, which are flat. Returns the number of solves; 0 if
/// there are no lanes for the rules.
pub(crate) fn agree(
    case: &Case<'_>,
    puzzles: &[u8],
    (first, by_first): (&mut Named, &Answered),
    isa: Isa,
) -> Result<u64, Disagreement> {
    let Ok(mut lanes) = LanesEngine::new(case.rules, isa) else { return Ok(0) };
    let cells = case.rules.grid().cells();
    let wrong = |error: WrongLength| Disagreement(format!("lanes ({}): {error}", isa.name()));
    let mut solves = 0;

    // A puzzle with several solutions has another solution than the known one. A puzzle with one solution has not.
    let is_known = |&place: &usize| {
        let answer = &by_first.answers[place];
        answer.solutions > 1 || answer.solutions == 1 && !answer.gave_up()
    };
    // Answers to a search for one solution do not say whether there is another one.
    let count = if case.limits.solutions() == Some(1) { 0 } else { by_first.answers.len() };
    let places: Vec<usize> = (0..count).filter(is_known).collect();
    let flat = |flat: &[u8]| -> Vec<u8> {
        places.iter().flat_map(|&place| &flat[place * cells..][..cells]).copied().collect()
    };
    let (asked, known) = (flat(puzzles), flat(&by_first.solutions));
    let (mut others, mut answers) = (vec![0; asked.len()], vec![Answer::default(); places.len()]);
    let mut find = |others: &mut [u8], answers: &mut [Answer]| {
        let others = Answers::new(others, answers, cells)?;
        let (asked, known) = (Puzzles::new(&asked, cells)?, Puzzles::new(&known, cells)?);
        lanes.find_others(asked, known, &vec![None; places.len()], others, &|| false)
    };
    find(&mut others, &mut answers).map_err(wrong)?;
    for (index, &place) in places.iter().enumerate() {
        let at = index * cells..(index + 1) * cells;
        let has_other = answers[index].solutions > 0;
        let is_other = others[at.clone()] != known[at.clone()]
            && case.verifier.check(&asked[at.clone()], &others[at.clone()]).is_ok();
        if has_other != (by_first.answers[place].solutions > 1) || has_other && !is_other {
            let why = format!("lanes ({}) finds another solution wrongly: {has_other}", isa.name());
            return Err(case.describe(&why, &asked[at]));
        }
        solves += 1;
    }

    // All solutions of the first puzzle that has some, but not too many.
    let limits = Limits::count(MOST + 1);
    for puzzle in puzzles.chunks_exact(cells).take(4) {
        let expected = Case { limits, ..*case }.answer(first, puzzle).answers[0];
        if expected.gave_up() || expected.solutions > MOST {
            continue;
        }
        let mut listed = HashSet::new();
        let mut are_right = true;
        let count = lanes.each_solution(puzzle, &mut |solution| {
            are_right &= case.verifier.check(puzzle, solution).is_ok() && listed.insert(solution.to_vec());
            ControlFlow::Continue(())
        });
        let count = count.map_err(wrong)?;
        if !are_right || count != expected.solutions {
            let why =
                format!("lanes ({}) lists {count}, {} finds {}", isa.name(), first.name, expected.solutions);
            return Err(case.describe(&why, puzzle));
        }
        solves += 1;
    }
    Ok(solves)
}
