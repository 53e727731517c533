//! Functions that are compiled for an instruction set, under a name that code outside can call.

/// Functions whose bodies are compiled for `S`.
///
/// A kernel is written once over [`Vector`](galop_simd::Vector). Each of them stays one function per instruction set,
/// because the pool calls some of them in several places.
macro_rules! compiled {
    // The result type, or `()`.
    (@output) => { () };
    (@output $result:ty) => { $result };
    ($(
        $(#[$about:meta])*
        fn $name:ident $([$($parameter:ident: $bound:path),*])? ($($argument:ident: $type:ty),*)
            $(-> $result:ty)? $body:block
    )*) => { $(
        $(#[$about])*
        #[inline(always)]
        pub(super) fn $name<'a, S: Simd, V: Vector $($(, $parameter: $bound)*)?>(
            $($argument: $type),*
        ) $(-> $result)? {
            struct Compiled<'a, S: Simd, V: Vector $($(, $parameter: $bound)*)?> {
                $($argument: $type,)*
                of: PhantomData<&'a (S, V $($(, $parameter)*)?)>,
            }

            impl<S: Simd, V: Vector $($(, $parameter: $bound)*)?> Kernel
                for Compiled<'_, S, V $($(, $parameter)*)?>
            {
                type Output = compiled!(@output $($result)?);

                #[inline(always)]
                fn run(self) -> Self::Output {
                    let Compiled { $($argument,)* of: _ } = self;
                    $body
                }
            }

            S::run(Compiled::<'a, S, V $($(, $parameter)*)?> { $($argument,)* of: PhantomData })
        }
    )* };
}

pub(super) use compiled;
