//! Structs of options, declared by rows.

/// Declares a struct of options for users of a library: a row is a field, its usual value, and the method that sets
/// it.
///
/// ```
/// galop_batch::options! {
///     /// How a page is printed.
///     #[derive(Clone, Copy, Debug)]
///     PageOptions {
///         /// Characters in a line.
///         width: usize = 80,
///         /// Whether pages have numbers.
///         numbers: bool = true,
///     }
/// }
/// assert_eq!(PageOptions::default().width(72).width, 72);
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$about:meta])*
        $name:ident $(<$life:lifetime>)? { $($(#[$row:meta])* $field:ident: $type:ty = $usual:expr,)* }
    ) => {
        $(#[$about])*
        #[non_exhaustive]
        pub struct $name $(<$life>)? {
            $($(#[$row])* pub $field: $type,)*
        }

        impl $(<$life>)? Default for $name $(<$life>)? {
            fn default() -> Self {
                $name { $($field: $usual,)* }
            }
        }

        impl $(<$life>)? $name $(<$life>)? {
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

use std::sync::atomic::AtomicBool;

/// The usual flag for stopping: nobody sets it.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);
