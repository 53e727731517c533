//! What a comparison says in a table: the cells, whoever draws the lines between them.

use super::figures::{counted, duration, share, thousands};
use crate::compare::{Comparison, EngineFigures, Told};
use crate::puzzle::Status;
use crate::report::Counts;

/// A table: the first column is words, all others are numbers.
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Comparison {
    /// What was compared, in one line.
    pub(super) fn in_words(&self) -> String {
        let inputs = match &self.inputs[..] {
            [] => "no input".to_owned(),
            [one] => one.name.clone(),
            [first, others @ ..] => format!("{} and {} more", first.name, others.len()),
        };
        let drawn = if self.options.sample.is_some() { "drawn from " } else { "from " };
        format!("{} {drawn}{inputs}", self.rules.counted(self.puzzles))
    }

    /// How they were compared, in one line.
    pub(super) fn how_in_words(&self) -> String {
        let asked = &self.options;
        let limit = match asked.solutions {
            None => "all solutions".to_owned(),
            Some(1) => "first solution".to_owned(),
            Some(2) => "proved the only solution".to_owned(),
            Some(solutions) => format!("up to {} solutions", thousands(solutions)),
        };
        let permuted = if asked.permuted {
            format!("permuted anew for each (seed {})", asked.seed)
        } else {
            "as they stand".to_owned()
        };
        let runs = counted(asked.runs as u64, "run", "runs");
        let threads = counted(asked.threads as u64, "thread", "threads");
        format!("{limit}, {runs}, {permuted}, {threads}")
    }

    /// The engines, fastest first. Columns that tell nothing here are left out.
    pub(super) fn table(&self) -> Table {
        let has_calls = self.engines.iter().any(|engine| engine.calls.is_some());
        let is_cut = self.engines.iter().any(|engine| engine.puzzles < self.puzzles);
        let mut header: Vec<String> =
            ["engine", "puzzles/s", "mean", "p50", "p99", "max", "guesses", "no guess"]
                .map(String::from)
                .into();
        header.extend(has_calls.then(|| "calls".to_owned()));
        header.extend(is_cut.then(|| "answered".to_owned()));
        let words = self.statuses();
        header.extend(words.iter().map(|&(word, _)| word.to_owned()));
        header.push(format!("× {}", self.reference));
        let row = |engine: &EngineFigures| {
            let unguessed = (engine.without_guess * engine.guesses.count as f64).round() as u64;
            let mut row = vec![
                engine.name.to_owned(),
                thousands(engine.puzzles_per_second.round() as u64),
                duration(engine.cpu_nanos.median),
                duration(engine.nanos.p50 as f64),
                duration(engine.nanos.p99 as f64),
                duration(engine.nanos.max as f64),
                number(engine.guesses.mean),
                share(unguessed, engine.guesses.count),
            ];
            row.extend(
                has_calls.then(|| engine.calls.as_ref().map_or(String::new(), |calls| number(calls.mean))),
            );
            row.extend(is_cut.then(|| share(engine.puzzles, self.puzzles)));
            row.extend(words.iter().map(|(_, count)| thousands(count(&engine.counts))));
            row.push(self.ratio_in_words(engine));
            row
        };
        Table { header, rows: self.engines.iter().map(row).collect() }
    }

    fn ratio_in_words(&self, engine: &EngineFigures) -> String {
        match engine.ratio {
            Some(ratio) => {
                format!("{} ({}–{})", factor(ratio.median), factor(ratio.low), factor(ratio.high))
            }
            None if engine.name == self.reference => "1".to_owned(),
            None => "unknown".to_owned(),
        }
    }

    /// The statuses that some engine gave, and how many of them there are among its counts.
    fn statuses(&self) -> Vec<(&'static str, fn(&Counts) -> u64)> {
        let all: [(Status, fn(&Counts) -> u64); 5] = [
            (Status::Solved, |counts| counts.solved),
            (Status::None, |counts| counts.none),
            (Status::Multiple, |counts| counts.multiple),
            (Status::Limit, |counts| counts.limit),
            (Status::Stuck, |counts| counts.stuck),
        ];
        let occurs = |count: fn(&Counts) -> u64| self.engines.iter().any(|engine| count(&engine.counts) > 0);
        all.into_iter()
            .filter(|(_, count)| occurs(*count))
            .map(|(status, count)| (status.word(), count))
            .collect()
    }
}

/// The puzzles that tell two engines apart; the place and the puzzle are for who draws the table.
pub(super) fn told_row(told: &Told) -> [String; 5] {
    [
        duration(told.nanos),
        duration(told.reference_nanos),
        factor(told.nanos.max(1.0) / told.reference_nanos.max(1.0)),
        number(told.guesses),
        number(told.reference_guesses),
    ]
}

/// A ratio with three digits.
pub(super) fn factor(ratio: f64) -> String {
    let decimals = match ratio {
        ratio if ratio < 0.0995 => 4,
        ratio if ratio < 0.995 => 3,
        ratio if ratio < 9.995 => 2,
        ratio if ratio < 99.95 => 1,
        _ => return thousands(ratio.round() as u64),
    };
    format!("{ratio:.decimals$}")
}

/// A number of guesses or calls that may be a mean.
pub(super) fn number(value: f64) -> String {
    match value {
        value if value.fract() == 0.0 || value >= 9_999.5 => thousands(value.round() as u64),
        value if value < 99.95 => format!("{value:.2}"),
        value => format!("{value:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_and_numbers_for_people() {
        let factors = [0.01234, 0.25, 1.0, 4.154, 41.54, 415.4, 41_540.0].map(factor);
        assert_eq!(factors, ["0.0123", "0.250", "1.00", "4.15", "41.5", "415", "41,540"]);
        assert_eq!([0.0, 0.5, 12.0, 123.46, 12_345.6].map(number), ["0", "0.50", "12", "123.5", "12,346"]);
    }
}
