//! The call that only the engine `lanes` has: another solution than a known one.

use galop_engines::engine::{Isa, LanesEngine};
use galop_engines::puzzle::{Answer, Answers, Puzzles, WrongLength};

use crate::Disagreement;
use crate::batch::{Answered, Case};

/// Compares this call with the answers `by_first` of another engine to `puzzles`, which are flat. Returns the number of
/// solves; 0 if there are no lanes for the rules.
pub(crate) fn agree(
    case: &Case<'_>,
    puzzles: &[u8],
    by_first: &Answered,
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
    Ok(solves)
}
