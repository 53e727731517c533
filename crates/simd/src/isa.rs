//! The instruction sets that a user can choose from.

use std::error::Error;
use std::fmt;

use crate::simd::{Job, Portable, enter};
#[cfg(target_arch = "x86_64")]
use crate::{features::is_detected, x86};

/// An instruction set that engines can be compiled for. Chosen once, when an engine is made.
///
/// | name | vectors |
/// |---|---|
/// | `avx512` | 256 and 512 bits, 32 registers, logic of three operands |
/// | `avx2` | 256 bits, 16 registers |
/// | `portable` | four words of 64 bits, which compilers turn into SSE2, NEON and the like |
///
/// The choice changes the speed, never a result: vectors that decide what an engine does have 256 bits everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// AVX-512 as of Ice Lake and Zen 4: F, BW, VL, VBMI, VBMI2, VPOPCNTDQ and GFNI, besides AVX2.
    Avx512,
    /// AVX2 with BMI1, BMI2, LZCNT and POPCNT, as of Haswell and Zen.
    Avx2,
    /// Plain words: every machine.
    Portable,
}

impl Isa {
    /// Every instruction set, the fastest first.
    pub const ALL: [Isa; 3] = [Isa::Avx512, Isa::Avx2, Isa::Portable];

    /// The fastest instruction set of this machine.
    pub fn best() -> Isa {
        Isa::ALL.into_iter().find(|isa| isa.is_available()).unwrap_or(Isa::Portable)
    }

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Avx512 => "avx512",
            Isa::Avx2 => "avx2",
            Isa::Portable => "portable",
        }
    }

    /// Whether this machine has it. Every machine has the portable one.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => crate::avx512_features! { is_detected {} },
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => crate::avx2_features! { is_detected {} },
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx512 | Isa::Avx2 => false,
            Isa::Portable => true,
        }
    }

    /// An error if this machine lacks it.
    pub fn check(self) -> Result<(), MissingIsa> {
        if self.is_available() { Ok(()) } else { Err(MissingIsa { isa: self }) }
    }

    /// Does `job` in code compiled for this instruction set; an error, and nothing is done, if this machine lacks it.
    pub fn run<J: Job>(self, job: J) -> Result<J::Output, MissingIsa> {
        self.check()?;
        Ok(match self {
            // Both were just found: see `Simd` for what depends on that.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => enter::<x86::Avx512, J>(job),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => enter::<x86::Avx2, J>(job),
            _ => enter::<Portable, J>(job),
        })
    }
}

/// This machine lacks an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingIsa {
    /// The instruction set that was wanted.
    pub isa: Isa,
}

impl fmt::Display for MissingIsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let available: Vec<&str> =
            Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(Isa::name).collect();
        write!(
            f,
            "this machine lacks the instruction set {} (it has {})",
            self.isa.name(),
            available.join(", ")
        )
    }
}

impl Error for MissingIsa {}
