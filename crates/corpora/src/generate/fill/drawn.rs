//! Random solutions of a problem.

use std::sync::Arc;

use galop_cover::{Drawer, Drawn as Found};

use crate::chance::Chance;
use crate::grid::ExactCover;

/// Draws that are tried for one solution: each gives up after a fixed number of nodes.
const DRAWS: usize = 8;

/// Draws solutions.
pub(in crate::generate) struct Drawn {
    drawer: Drawer<Arc<ExactCover>>,
}

impl Drawn {
    pub(super) fn new(drawer: Drawer<Arc<ExactCover>>) -> Drawn {
        Drawn { drawer }
    }

    /// Overwrites `solution`, a byte an option. Returns false if there is none, or none was found.
    pub(super) fn fill(&mut self, solution: &mut [u8], chance: &mut Chance) -> bool {
        for _ in 0..DRAWS {
            match self.drawer.draw(chance.seed(), &|| false) {
                Ok(Found::Solution(options)) => {
                    solution.fill(0);
                    for option in options {
                        if let Some(byte) = solution.get_mut(option.index()) {
                            *byte = 1;
                        }
                    }
                    return true;
                }
                Ok(Found::GaveUp) => {}
                _ => return false,
            }
        }
        false
    }
}
