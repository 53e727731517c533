//! Structs of options, declared by rows.

/// Declares a struct of options for users of the library: a row is a field, its usual value, and the method that sets
/// it.
macro_rules! options {
    (
        $(#[$about:meta])*
        $name:ident<$life:lifetime> { $($(#[$row:meta])* $field:ident: $type:ty = $usual:expr,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub struct $name<$life> {
            $($(#[$row])* pub $field: $type,)*
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                $name { $($field: $usual,)* }
            }
        }

        impl<$life> $name<$life> {
            $(
                $(#[$row])*
                #[must_use]
                pub fn $field(self, $field: $type) -> Self {
                    $name { $field, ..self }
                }
            )*
        }
    };
}
pub(crate) use options;

use std::sync::atomic::AtomicBool;

/// The usual flag for stopping: nobody sets it.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);
