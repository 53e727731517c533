//! The machine that a run used: times mean little without it.

use serde::Serialize;

/// The machine, as far as files and the standard library describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CpuInfo {
    /// The processor's name, or its architecture on systems that do not give the name.
    pub cpu: String,
    /// Logical processors that this process may use.
    pub cores: usize,
    /// The operating system.
    pub os: String,
    /// The architecture that galop was compiled for.
    pub arch: String,
}

impl CpuInfo {
    /// The machine that runs this process.
    pub fn current() -> CpuInfo {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").ok();
        let cpu = cpuinfo.as_deref().and_then(model_name).unwrap_or(arch).to_owned();
        CpuInfo { cpu, cores, os: os.to_owned(), arch: arch.to_owned() }
    }
}

/// The first model name in Linux's `/proc/cpuinfo`.
fn model_name(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_has_the_name_that_the_system_gives() {
        let cpuinfo =
            "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\nmodel name\t: other\n";
        assert_eq!(model_name(cpuinfo), Some("AMD EPYC"));
        assert_eq!(model_name("processor : 0\n"), None);
        assert!(CpuInfo::current().cores >= 1 && !CpuInfo::current().cpu.is_empty());
    }
}
