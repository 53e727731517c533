//! The target features of each instruction set: the only lists of them.

/// Hands the features of AVX2 to a macro: BMI and the counts of bits came with it, in Haswell and in Zen.
#[doc(hidden)]
#[macro_export]
macro_rules! avx2_features {
    ($($macro:tt)::+ { $($arguments:tt)* }) => {
        $($macro)::+! { ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"] $($arguments)* }
    };
}

/// Hands the features of AVX-512 on Ice Lake and Zen 4 to a macro.
#[doc(hidden)]
#[macro_export]
macro_rules! avx512_features {
    ($($macro:tt)::+ { $($arguments:tt)* }) => {
        $($macro)::+! {
            [
                "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
                "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "gfni"
            ]
            $($arguments)*
        }
    };
}

/// Compiles functions for the target features in front of them.
#[doc(hidden)]
#[macro_export]
macro_rules! compiled_for {
    (@one [$($feature:literal)*] $item:item) => { #[target_feature($(enable = $feature),*)] $item };
    ($features:tt $($item:item)*) => { $($crate::compiled_for! { @one $features $item })* };
}

/// Compiles the functions in it for AVX2. They may use the intrinsics of AVX2; to call one from outside is `unsafe`,
/// and sound in code that is generic over a [`Simd`](crate::Simd) whose [`ISA`](crate::Simd::ISA) is
/// [`Isa::Avx2`](crate::Isa::Avx2) or [`Isa::Avx512`](crate::Isa::Avx512).
#[macro_export]
macro_rules! avx2 {
    ($($item:item)*) => { $crate::avx2_features! { $crate::compiled_for { $($item)* } } };
}

/// Compiles the functions in it for AVX-512. They may use its intrinsics; to call one from outside is `unsafe`, and
/// sound in code that is generic over a [`Simd`](crate::Simd) whose [`ISA`](crate::Simd::ISA) is
/// [`Isa::Avx512`](crate::Isa::Avx512).
#[macro_export]
macro_rules! avx512 {
    ($($item:item)*) => { $crate::avx512_features! { $crate::compiled_for { $($item)* } } };
}

/// Whether this machine has all target features in front.
#[cfg(target_arch = "x86_64")]
macro_rules! is_detected {
    ([$($feature:tt)*]) => { true $(&& is_x86_feature_detected!($feature))* };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use is_detected;
