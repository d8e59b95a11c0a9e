//! `analyse -`: one position a line in, one answer a line out, in order, as fast as all cores allow.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use super::Args;
use crate::cli::{FAILURE, values};
use crate::engine::Engine;

/// A line of input or output with its number, from 0.
type Numbered<T> = (usize, T);

/// What a worker made of a line: the text to print, and whether the line was a position.
struct Done {
    text: String,
    good: bool,
}

#[derive(Serialize)]
struct Refusal {
    line: usize,
    error: String,
}

/// Answers every line of stdin that is not blank. A line that is no position gets an answer that says why; the others
/// still run, and the exit code is [`FAILURE`].
pub(super) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let threads = args.threads.unwrap_or_else(values::cores);
    // Each engine is made here, so that missing memory is one error before any work.
    let mut engines = Vec::new();
    for _ in 0..threads {
        let mut engine = Engine::new(args.settings(1, 16));
        engine.prepare()?;
        engines.push(engine);
    }
    // The bounded queue keeps a fast reader from filling the memory with waiting lines.
    let (give, take) = sync_channel::<Numbered<String>>(4 * threads);
    let take = Mutex::new(take);
    let (answer, answers) = channel::<anyhow::Result<Numbered<Done>>>();
    let read_errors = answer.clone();
    // Not scoped: when the answers are no longer wanted, nobody waits for a line that may never come.
    thread::spawn(move || read_lines(&give, &read_errors));
    thread::scope(|scope| {
        for engine in engines {
            let (take, answer) = (&take, answer.clone());
            scope.spawn(move || work(args, engine, take, &answer));
        }
        drop(answer);
        print_in_order(answers, out)
    })
}

/// Hands out the lines of stdin until its end, a read error, or nobody takes them any more.
fn read_lines(
    give: &SyncSender<Numbered<String>>,
    errors: &Sender<anyhow::Result<Numbered<Done>>>,
) {
    for (number, line) in std::io::stdin().lock().split(b'\n').enumerate() {
        match line {
            Ok(line) => {
                if give
                    .send((number, String::from_utf8_lossy(&line).into_owned()))
                    .is_err()
                {
                    break;
                }
            }
            Err(error) => {
                // If nobody listens, nobody wants to know.
                let _ = errors.send(Err(error.into()));
                break;
            }
        }
    }
}

fn work(
    args: &Args,
    mut engine: Engine,
    take: &Mutex<Receiver<Numbered<String>>>,
    answer: &Sender<anyhow::Result<Numbered<Done>>>,
) {
    loop {
        let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, line)) = next else { break };
        let done = answer_line(args, &mut engine, number, line.trim());
        if answer.send(Ok((number, done))).is_err() {
            break;
        }
    }
}

fn answer_line(args: &Args, engine: &mut Engine, number: usize, line: &str) -> Done {
    if line.is_empty() {
        return Done {
            text: String::new(),
            good: true,
        };
    }
    match args
        .game_of_tps(line)
        .and_then(|game| args.answer(engine, &game, false))
    {
        Ok(answer) => Done {
            text: if args.json {
                answer.to_json()
            } else {
                answer.to_line()
            },
            good: true,
        },
        Err(error) => {
            let refusal = Refusal {
                line: number + 1,
                error: format!("{error:#}"),
            };
            let text = if args.json {
                serde_json::to_string(&refusal).expect("plain data always serialises")
            } else {
                format!("line {}: error: {}", refusal.line, refusal.error)
            };
            Done { text, good: false }
        }
    }
}

/// Prints answers in the order of their lines, each as soon as all earlier ones are out.
fn print_in_order(
    answers: Receiver<anyhow::Result<Numbered<Done>>>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut code = ExitCode::SUCCESS;
    for answer in answers {
        let (number, done) = answer?;
        waiting.insert(number, done);
        while let Some(done) = waiting.remove(&next) {
            next += 1;
            if !done.good {
                code = ExitCode::from(FAILURE);
            }
            if !done.text.is_empty() {
                writeln!(out, "{}", done.text)?;
            }
        }
        out.flush()?;
    }
    Ok(code)
}
