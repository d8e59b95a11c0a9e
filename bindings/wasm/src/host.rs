//! The JavaScript around an instance of the module.

use std::cell::OnceCell;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use tak_engine::board::Size;
use tak_engine::engine::{TimeSource, has_weights, install_weights};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The functions that an instance needs of the script around it.
    pub type Host;
    /// Milliseconds since some moment in the past.
    #[wasm_bindgen(method)]
    fn now(this: &Host) -> f64;
    /// Returns whether the search should stop. A busy worker gets no messages, so this looks at shared memory.
    #[wasm_bindgen(method, js_name = isStopped)]
    fn is_stopped(this: &Host) -> bool;
    /// Takes a message.
    #[wasm_bindgen(method)]
    fn say(this: &Host, message: &str);
    /// Hears that weights of this board size will be needed.
    #[wasm_bindgen(method)]
    fn expect(this: &Host, size: usize);
    /// Takes the text of a panic. The instance cannot be used after that.
    #[wasm_bindgen(method)]
    fn panicked(this: &Host, text: &str);
}

thread_local! {
    static HOST: OnceCell<Host> = const { OnceCell::new() };
}

/// The stop flag of all work.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Sets the host of this instance. Call it before everything else; only the first call counts.
#[wasm_bindgen(js_name = setHost)]
pub fn set_host(host: Host) {
    if HOST.with(|cell| cell.set(host)).is_ok() {
        panic::set_hook(Box::new(|info| with_host(|host| host.panicked(&info.to_string()))));
    }
}

fn with_host<T: Default>(f: impl FnOnce(&Host) -> T) -> T {
    HOST.with(|cell| cell.get().map(f)).unwrap_or_default()
}

pub fn say(message: &str) {
    with_host(|host| host.say(message));
}

/// Lets the host load the weights of a board size, unless they are there.
pub fn expect(size: Size) {
    if !has_weights(size) {
        with_host(|host| host.expect(size.width()));
    }
}

/// Installs the weights of a board size, from a file that belongs to the package.
#[wasm_bindgen(js_name = installWeights)]
pub fn install(size: u32, bytes: &[u8]) -> Result<(), String> {
    let size = Size::new(size.into()).map_err(|error| error.to_string())?;
    install_weights(size, bytes).map_err(|error| error.to_string())
}

/// The time by the clock of the host.
pub fn now() -> Duration {
    with_host(|host| Duration::try_from_secs_f64(host.now() / 1000.0).unwrap_or_default())
}

/// The clock of an engine. When it is polled, it looks whether the page wants the end.
pub fn clock() -> TimeSource {
    TimeSource::new(now).polled_by(|| {
        if with_host(Host::is_stopped) {
            STOP.store(true, Relaxed);
        }
    })
}
