//! Where a run took place: figures mean little without it.

use serde::Serialize;

/// The machine, as far as it can be known without asking anything but files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// The processor's name, or its architecture where the system does not tell.
    pub cpu: String,
    /// Logical processors that this process may use.
    pub cores: usize,
    /// The operating system.
    pub os: &'static str,
    /// The architecture galop was compiled for.
    pub arch: &'static str,
}

impl Machine {
    /// The one this runs on.
    pub fn this() -> Machine {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let told = std::fs::read_to_string("/proc/cpuinfo").ok();
        let cpu = told.as_deref().and_then(model_name).unwrap_or(arch).to_owned();
        Machine { cpu, cores, os, arch }
    }
}

/// The first model name of Linux's `/proc/cpuinfo`.
fn model_name(told: &str) -> Option<&str> {
    let line = told.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_named_as_the_system_tells() {
        let told = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\nmodel name\t: other\n";
        assert_eq!(model_name(told), Some("AMD EPYC"));
        assert_eq!(model_name("processor : 0\n"), None);
        assert!(Machine::this().cores >= 1 && !Machine::this().cpu.is_empty());
    }
}
