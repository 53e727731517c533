//! Links the tool with libgcc's unwinder as an archive, where the system has it.
//!
//! Rust programs load the shared `libgcc_s` for the unwinder alone. To load it takes 0.1 to 0.2 ms at each start, a tenth of
//! a short run of the tool: its maps, its relocations, and a constructor that asks for the features of the processor. The
//! archive is part of the compiler that links; libc stays shared.

use std::env::var;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let is_native = var("HOST") == var("TARGET");
    let is_gnu = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    let Some(folder) = std::env::var_os("OUT_DIR").filter(|_| is_native && is_gnu && has_archive()) else {
        return;
    };
    // A script of the linker, which it finds before the library of that name.
    if std::fs::write(Path::new(&folder).join("libgcc_s.so"), "GROUP ( -lgcc_eh -lgcc )\n").is_ok() {
        println!("cargo::rustc-link-arg-bins=-L{}", Path::new(&folder).display());
    }
}

fn is(variable: &str, value: &str) -> bool {
    var(variable).is_ok_and(|found| found == value)
}

/// Whether the compiler that links has the archive. (It prints the bare name of a file that it lacks.)
fn has_archive() -> bool {
    let linker = var("RUSTC_LINKER").unwrap_or_else(|_| "cc".into());
    let Ok(output) = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output() else { return false };
    Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_absolute()
}
