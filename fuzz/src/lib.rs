//! What several fuzz targets share: rules chosen by bytes, sources and records, and engines side by side.

pub mod engines;
pub mod inputs;
pub mod rules;
