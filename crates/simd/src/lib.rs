//! Instruction sets and vectors for galop: which ones this machine has, asked for in one place.

mod isa;

pub use isa::Isa;
