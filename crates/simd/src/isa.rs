//! Instruction sets: which vectors this machine has. Chosen once, at run time, and never asked again.

/// What `lanes`, `grid` and some engines of the exact cover (option masks, on which `hybrid` stands, and the row filter)
/// are compiled for; the others have no use for it. Vectors and lanes below are those of `lanes`.
///
/// | name | vector | lanes |
/// |---|---|---|
/// | `avx512` | 256 bits, 32 registers, logic of three operands | 256 |
/// | `avx2` | 256 bits, 16 registers | 256 |
/// | `portable128` | two 64-bit words, which compilers turn to SSE2, NEON and the like | 128 |
/// | `portable64` | one 64-bit word | 64 |
///
/// Vectors of 512 bits were measured on Zen 4: the same time a lane, and twice the footprint, of which the cells
/// alone no longer fit the first-level cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// AVX-512 as of Ice Lake and Zen 4: F, BW, VL, VBMI, VBMI2, VPOPCNTDQ and GFNI, with BMI2.
    Avx512,
    /// AVX2 and BMI2, as of Haswell and Zen 3.
    Avx2,
    /// No instruction set in particular, 128 bits at a time.
    Portable128,
    /// No instruction set in particular, 64 bits at a time.
    Portable64,
}

impl Isa {
    /// Every one, fastest first.
    pub const ALL: [Isa; 4] = [Isa::Avx512, Isa::Avx2, Isa::Portable128, Isa::Portable64];

    /// The fastest that this machine has.
    pub fn best() -> Isa {
        Isa::ALL.into_iter().find(|isa| isa.is_available()).unwrap_or(Isa::Portable64)
    }

    /// This one, or the fastest where this machine does not have it.
    pub fn or_best(self) -> Isa {
        if self.is_available() { self } else { Isa::best() }
    }

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Avx512 => "avx512",
            Isa::Avx2 => "avx2",
            Isa::Portable128 => "portable128",
            Isa::Portable64 => "portable64",
        }
    }

    /// Whether this machine has it. The portable ones every machine has.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                Isa::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512vpopcntdq")
                    && is_x86_feature_detected!("gfni")
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx512 | Isa::Avx2 => false,
            Isa::Portable128 | Isa::Portable64 => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_first_that_is_there() {
        assert!(Isa::best().is_available());
        assert!(Isa::Portable64.is_available() && Isa::Portable128.is_available());
        let names = Isa::ALL.map(Isa::name);
        assert_eq!(names, ["avx512", "avx2", "portable128", "portable64"]);
    }
}
