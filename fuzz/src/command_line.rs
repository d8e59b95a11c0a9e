//! Command lines, parsed but not executed.

use tak_engine::arena::play::config::{DrawRule, EngineOptions, ResignRule, engines};
use tak_engine::arena::stats::sprt::SprtSettings;
use tak_engine::arena::words::read_words;
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
    let _ = read_words::<ResignRule>("--resign", &arguments);
    let _ = read_words::<DrawRule>("--draw", &arguments);
    let _ = read_words::<SprtSettings>("--sprt", &arguments);
    if let Ok(engine) = read_words::<EngineOptions>("engine", &arguments)
        && let Ok(engines) = engines(&[engine.clone(), engine.clone()], &engine)
    {
        assert_ne!(engines[0].name, engines[1].name);
    }
}
