//! The sources of positions: files, stdin, positions in words, or nothing.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use super::games::Answers;
use super::{Args, batch};
use crate::board::{AnyPosition, Game, Size};
use crate::cli::errors::{FAILURE, Usage, error_line, is_closed_pipe, usage, usage_by};
use crate::cli::interrupt::{awaited, stop_on_signal};
use crate::cli::source::{Contents, Opened, Source, is_stdin_piped};
use crate::cli::stderr::say;

/// A source that has been opened, except that a position is read already.
enum Input {
    Position(Box<Game>),
    Stream(Source),
    Opened(Source, Opened),
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    args.check()?;
    let stop = stop_on_signal();
    let inputs = args.inputs(&stop)?;
    let is_one = inputs.len() == 1;
    let mut answers = Answers::new(args, !is_one, &stop);
    let mut code = ExitCode::SUCCESS;
    for input in inputs {
        match args.answer_input(input, &mut answers, &stop, out) {
            Ok(done) if done == ExitCode::SUCCESS => {}
            Ok(done) => code = done,
            Err(error) if is_one || is_closed_pipe(&error) || error.is::<Usage>() => return Err(error),
            // The other sources do not suffer.
            Err(error) => {
                out.flush()?;
                say(&format_args!("error: {}", error_line(&error)));
                code = ExitCode::from(FAILURE);
            }
        }
        if stop.load(SeqCst) {
            break;
        }
    }
    Ok(code)
}

impl Args {
    /// What is to be analysed. Positions on the command line are checked before any work.
    fn inputs(&self, stop: &AtomicBool) -> anyhow::Result<Vec<Input>> {
        let sources = Source::all(&self.position)?;
        if sources.is_empty() {
            if is_stdin_piped() {
                let opened = awaited(stop, || Source::Stdin.open())?;
                if !opened.is_empty() {
                    return Ok(vec![Input::Opened(Source::Stdin, opened)]);
                }
                say(&"nothing comes on stdin, so the empty board is analysed");
            }
            self.refuse_ptn_options()?;
            let (size, komi) = (self.size.unwrap_or(Size::USUAL), self.komi.unwrap_or_default());
            let start = AnyPosition::start_with(size, komi, self.opening.unwrap_or_default());
            return Ok(vec![Input::Position(Box::new(Game::new(start)))]);
        }
        let input = |source| match source {
            Source::Position(text) => {
                self.refuse_ptn_options()?;
                let game = self.game_of_tps(&text, |warning| say(&warning)).map_err(|error| usage_by(&error))?;
                Ok(Input::Position(Box::new(game)))
            }
            source => Ok(Input::Stream(source)),
        };
        sources.into_iter().map(input).collect()
    }

    /// For input that is not a file of games, so that `--game` and `--ply` name nothing.
    pub(super) fn refuse_ptn_options(&self) -> anyhow::Result<()> {
        match (self.game, self.ply, self.input) {
            (None, None, None | Some(Contents::Tps)) => Ok(()),
            (Some(_), ..) => Err(usage("--game needs PTN games, not positions")),
            (_, Some(_), _) => Err(usage("--ply needs PTN games, not positions")),
            _ => Err(usage("--input says how to read a file or stdin, not a position")),
        }
    }

    fn answer_input(
        &self,
        input: Input,
        answers: &mut Answers<'_>,
        stop: &Arc<AtomicBool>,
        out: &mut dyn Write,
    ) -> anyhow::Result<ExitCode> {
        let (source, opened) = match input {
            Input::Position(game) => return answers.position(&game, out),
            Input::Stream(source) => {
                let opened = awaited(stop, || source.open())?;
                (source, opened)
            }
            Input::Opened(source, opened) => (source, opened),
        };
        let path = match &source {
            Source::File(path) => path.as_path(),
            _ => Path::new("-"),
        };
        let contents = self.input.map_or_else(|| opened.contents(path), Ok);
        let contents = contents.map_err(|error| error.context(format!("cannot read {source}")))?;
        match contents {
            Contents::Ptn => answers.games(&source, opened.input, out),
            Contents::Tps => {
                self.refuse_ptn_options()?;
                batch::run(self, answers.name(&source).as_deref(), opened.input, stop, out)
            }
        }
    }
}
