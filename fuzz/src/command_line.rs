//! Command lines, parsed but not executed.

use tak_engine::arena::play::config;
use tak_engine::cli::Cli;

/// Arguments, one a line.
pub fn arguments(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let arguments: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = std::iter::once("tak-engine".to_owned()).chain(arguments.iter().cloned());
    if let Err(error) = Cli::read(line) {
        assert!(!error.to_string().trim().is_empty());
    }
    // The words of a tournament's settings are parsed separately after that.
    let _ = config::resign_rule(&arguments);
    let _ = config::draw_rule(&arguments);
    if let Ok(test) = config::sprt_settings(&arguments) {
        test.check().expect("a checked test");
    }
    let engines = [arguments.clone(), arguments.clone()];
    if let Ok(engines) = config::engines(&engines, &arguments) {
        assert_ne!(engines[0].name, engines[1].name);
    }
}
