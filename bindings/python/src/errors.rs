//! Errors as exceptions of the right kind.

use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tak_engine::engine::HashError;

/// Input that cannot be used: a `ValueError`.
pub fn invalid(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// Warns the caller, if there is a reason.
pub fn warn(py: Python<'_>, reason: Option<String>) -> PyResult<()> {
    let Some(reason) = reason else { return Ok(()) };
    py.import("tak_engine._errors")?.call_method1("warn", (reason,)).map(drop)
}

/// Checks that `what` is of this process. After a fork the threads that it needs are those of the parent.
pub fn check_process(what: &str, process: u32) -> PyResult<()> {
    if process == std::process::id() {
        return Ok(());
    }
    Err(PyRuntimeError::new_err(format!("{what} belongs to the process that made it: make one after the fork")))
}

/// A failed search.
pub fn failed(error: HashError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// A panic, which is a fault of this package: a `RuntimeError`. pyo3's own exception for it is no `Exception`, so that
/// programs that must go on could not catch it.
pub fn fault(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    PyRuntimeError::new_err(format!("internal error in tak_engine: {}", text.unwrap_or("no reason is known")))
}

/// Runs `work`, with a panic as an error.
pub fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(fault(&*panic)))
}

/// Panics, so that tests see what becomes of it.
#[cfg(debug_assertions)]
#[pyfunction]
pub fn _panic() -> PyResult<()> {
    guarded(|| panic!("on purpose"))
}
