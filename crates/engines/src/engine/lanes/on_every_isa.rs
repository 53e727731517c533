//! Tests on every instruction set.

/// Calls a function for every instruction set and its vectors, and says which ones this machine lacks.
macro_rules! on_every_isa {
    ($test:ident) => {{
        struct Test;

        impl galop_simd::Job for Test {
            type Output = ();

            fn run<S: galop_simd::Simd>(self) {
                $test::<S, S::Quad>();
            }
        }

        for isa in galop_simd::Isa::ALL {
            if let Err(missing) = isa.run(Test) {
                galop_testing::available::skip(&missing.to_string());
            }
        }
    }};
}
pub(super) use on_every_isa;
