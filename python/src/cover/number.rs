//! Numbers of solutions as numbers of Python, of any size.

use galop_cover::Natural;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// A number for Python.
pub(super) struct Number(pub(super) Natural);

impl<'py> IntoPyObject<'py> for Number {
    type Target = PyInt;
    type Output = Bound<'py, PyInt>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        if let Some(number) = self.0.to_u128().and_then(|number| u64::try_from(number).ok()) {
            return Ok(number.into_pyobject(py)?);
        }
        // Decimal digits would be refused from 4,300 digits.
        let bytes = PyBytes::new(py, &self.0.to_le_bytes());
        let number = py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))?;
        Ok(number.cast_into()?)
    }
}
