//! `analyse -`: reads one position a line and writes one answer a line, in order, on all cores.

use std::any::Any;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use serde::Serialize;

use super::Args;
use crate::cli::{FAILURE, values};
use crate::engine::{Engine, check_memory};
use crate::tei::lines::{BadLine, read_line};

/// The longest line that is read, in bytes: several times the longest TPS.
const LONGEST_LINE: usize = 16 << 10;

/// How many lines for each thread may be read before an earlier one is answered: enough to keep all threads busy when one
/// position takes long, and few enough for the memory.
const AHEAD: usize = 32;

/// A line of input with its number, from 0.
type InputLine = (usize, Result<String, BadLine>);

/// What the thread that prints has to know.
enum News {
    /// The answer to the line with this number.
    Answer(usize, Done),
    /// The number of lines, once the input has ended or cannot be read further.
    End(usize, io::Result<()>),
    /// The rest is not wanted, or cannot be read.
    Failed(anyhow::Error),
}

/// What a worker made of a line: the text to print, and whether the line was a position.
struct Done {
    text: String,
    good: bool,
}

#[derive(Serialize)]
struct LineError {
    line: usize,
    error: String,
}

/// Answers every line of stdin that is not blank. A line that is no position gets an answer that says why; the others
/// still run, and the exit code is [`FAILURE`].
pub(super) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let threads = args.threads.unwrap_or_else(values::cores);
    // Memory that is missing is one error before any work. A table takes memory only when it is used, so what each engine
    // finds free says nothing of all of them together.
    let mut engines = Vec::new();
    let settings = args.settings(1, 16)?;
    check_memory(settings.hash_mib.saturating_mul(threads), 0)?;
    for _ in 0..threads {
        let mut engine = Engine::new(settings.clone(), Instant::now());
        engine.prepare()?;
        engines.push(engine);
    }
    let (give, take) = channel();
    let (tell, news) = channel();
    // Holds a token for each line that has been read and whose answer has not been printed.
    let (places, printed) = sync_channel(AHEAD * threads);
    // None of the threads is waited for: when the answers are no longer wanted, one may wait for input that never comes,
    // and the others may be in a long search. The thread that reads is started first, since nothing works without it.
    let tell_end = tell.clone();
    let no_thread = "the system gives no thread, or no memory for it";
    thread::Builder::new()
        .spawn(move || read_lines(&give, &places, &tell_end))
        .context(no_thread)?;
    let take = Arc::new(Mutex::new(take));
    let args = Arc::new(args.clone());
    for (index, engine) in engines.into_iter().enumerate() {
        let (args, take, tell) = (Arc::clone(&args), Arc::clone(&take), tell.clone());
        let started = thread::Builder::new().spawn(move || work(&args, engine, &take, &tell));
        match started {
            Err(error) if index == 0 => return Err(error).context(no_thread),
            Err(_) => {
                log::warn!("the system gives no more than {index} threads, analysing with those");
                break;
            }
            Ok(_) => {}
        }
    }
    // If there is no such thread, the next answer that is written shows it.
    #[cfg(unix)]
    drop(thread::Builder::new().spawn(move || watch_reader(&tell)));
    print_in_order(&news, &printed, out)
}

/// Hands out the lines of stdin until its end, until an error, or until no thread takes them any more.
fn read_lines(give: &Sender<InputLine>, places: &SyncSender<()>, tell: &Sender<News>) {
    let mut input = io::stdin().lock();
    let mut lines = 0;
    while places.send(()).is_ok() {
        let end = match read_line(&mut input, LONGEST_LINE) {
            Ok(Some(line)) => {
                if give.send((lines, line)).is_err() {
                    return;
                }
                lines += 1;
                continue;
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        // If the thread that prints has ended, there is nothing to tell.
        let _ = tell.send(News::End(lines, end));
        return;
    }
}

fn work(args: &Args, mut engine: Engine, take: &Mutex<Receiver<InputLine>>, tell: &Sender<News>) {
    loop {
        let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, line)) = next else { break };
        let answer = AssertUnwindSafe(|| answer_line(args, &mut engine, number, line));
        let news = match catch_unwind(answer) {
            Ok(done) => News::Answer(number, done),
            // A bug. There will be no answer to this line to wait for.
            Err(panic) => News::Failed(anyhow!("line {}: {}", number + 1, text_of(&*panic))),
        };
        if tell.send(news).is_err() {
            break;
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic")
}

fn answer_line(
    args: &Args,
    engine: &mut Engine,
    number: usize,
    line: Result<String, BadLine>,
) -> Done {
    let answer = line.map_err(anyhow::Error::from).and_then(|line| {
        let line = line.trim();
        if line.is_empty() {
            return Ok(None);
        }
        let game = args.game_of_tps(line)?;
        args.analyse(engine, &game, false).map(Some)
    });
    match answer {
        Ok(answer) => Done {
            text: answer.map_or_else(String::new, |findings| {
                if args.json {
                    findings.to_json()
                } else {
                    findings.to_line()
                }
            }),
            good: true,
        },
        Err(error) => {
            let fault = LineError {
                line: number + 1,
                error: crate::cli::told_once(&error),
            };
            let text = if args.json {
                serde_json::to_string(&fault).expect("plain data always serialises")
            } else {
                format!("line {}: error: {}", fault.line, fault.error)
            };
            Done { text, good: false }
        }
    }
}

/// Ends the batch when the reader of stdout goes away, also in the middle of a search.
#[cfg(unix)]
fn watch_reader(tell: &Sender<News>) {
    use rustix::event::{PollFd, PollFlags, poll};
    let out = io::stdout();
    loop {
        // Errors are reported without being asked for.
        let mut fds = [PollFd::new(&out, PollFlags::empty())];
        match poll(&mut fds, None) {
            Ok(_) => break,
            Err(rustix::io::Errno::INTR) => {}
            // The next answer that is written shows it.
            Err(_) => return,
        }
    }
    let gone = io::Error::from(io::ErrorKind::BrokenPipe);
    let _ = tell.send(News::Failed(gone.into()));
}

/// Prints answers in the order of their lines, each as soon as all earlier ones are out.
fn print_in_order(
    news: &Receiver<News>,
    printed: &Receiver<()>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut code = ExitCode::SUCCESS;
    let mut end = None;
    for item in news {
        match item {
            News::Answer(number, done) => drop(waiting.insert(number, done)),
            News::End(lines, result) => end = Some((lines, result)),
            News::Failed(error) => return Err(error),
        }
        while let Some(done) = waiting.remove(&next) {
            next += 1;
            if !done.good {
                code = ExitCode::from(FAILURE);
            }
            if !done.text.is_empty() {
                writeln!(out, "{}", done.text)?;
            }
            // There is room for another line now.
            let _ = printed.recv();
        }
        out.flush()?;
        if let Some((_, result)) = end.take_if(|(lines, _)| *lines == next) {
            return result.map(|()| code).map_err(Into::into);
        }
    }
    bail!("the lines were not read to their end")
}
