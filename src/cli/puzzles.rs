//! `tak-engine puzzles`: positions with one right move, out of games.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::errors::usage;
use super::game_file::{GameFiles, Held, Places, Terms, say_fault};
use super::interrupt::{interrupted as end_interrupted, stop_on_signal};
use super::progress::Progress;
use super::result_file::ResultFile;
use super::stderr::{say, say_deviations};
use super::streams::check_reader;
use super::{FAILURE, values};
use crate::analysis::annotate::source::Source;
use crate::analysis::puzzles::finder::{FINDER_MIB, Finder, Findings};
use crate::analysis::puzzles::mistakes::players;
use crate::analysis::puzzles::proof::Limits;
use crate::analysis::puzzles::puzzle::{Kind, Puzzle, key};
use crate::analysis::puzzles::{json, ptn};
use crate::board::{ByColor, Komi, Size};
use crate::engine::{HashError, check_memory};
use crate::notation::counted;
use crate::ordered::in_order;

/// Finds puzzles in games: positions in which one move alone is right.
///
/// tinue: one move forces a road. defence: one move does not lose by force. flats: one move wins the count of flats. In
/// these all other moves are proven wrong within the plies of the puzzle, by trying every move. best: one move keeps a
/// won or level position, as far as long searches show. Skipped are positions that cannot be decided within --nodes,
/// and repeated ones, even rotated, mirrored, with colours swapped or with another komi. The same games and options
/// give the same puzzles. Ctrl-C keeps the puzzles found so far.
///
/// With --from-mistakes only positions count in which the move played was a mistake, as `annotate` marks it. There a
/// missed road in one move is a puzzle too, and `best` may win or hold by force.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
        tak-engine puzzles games.ptn > puzzles.jsonl\n  \
        tak-engine puzzles games6.ptn --kind tinue --kind defence --count 50 --out puzzles.ptn\n  \
        tak-engine puzzles mine.ptn --from-mistakes --player Ann --out mistakes.ptn")]
pub struct Args {
    #[command(flatten)]
    files: GameFiles,
    /// A kind of puzzle to look for; may be given several times [default: all of them]
    #[arg(long, value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| name.parse::<Kind>()))]
    kind: Vec<Kind>,
    /// Only positions in which a mistake was played, with the one right move
    #[arg(long)]
    from_mistakes: bool,
    /// Only mistakes of the player of this name in the tags Player1 and Player2 [default: of both]
    #[arg(long, value_name = "NAME", requires = "from_mistakes")]
    player: Option<String>,
    /// Only games on boards of this size; also the size of games that state none
    #[arg(long)]
    size: Option<Size>,
    /// Komi in flats, -10 to 10 in halves, overriding the games'
    #[arg(long, value_parser = values::komi)]
    komi: Option<Komi>,
    /// End after this number of each kind
    #[arg(long, value_name = "N", value_parser = values::number::<usize>(1..=u64::MAX))]
    count: Option<usize>,
    /// The longest puzzle, in plies; 1 finds only roads that one spread completes
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = values::number::<u32>(1..=31))]
    max_plies: u32,
    /// Positions that each step of a proof, or each long search, may visit
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = values::nodes())]
    nodes: u64,
    /// Write the puzzles here, as JSON Lines or PTN by the end of the name, and totals to stdout
    #[arg(long, value_name = "FILE.jsonl|FILE.ptn")]
    out: Option<PathBuf>,
    /// Overwrite files that already exist
    #[arg(long)]
    force: bool,
    /// Games analysed at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    // First of all, so that a wrong name is reported before any work.
    let out_file = values::output_file(args.out.as_deref());
    let format = out_file.map_or(Ok(Format::Json), format_of)?;
    if args.max_plies < 3 && args.kind.iter().any(|&kind| kind != Kind::Tinue) {
        let plies = args.max_plies;
        return Err(usage(format_args!("--max-plies {plies} is for roads at hand, which are of the kind tinue")));
    }
    if let Some(name) = args.files.names().find(|name| name.extension().is_some_and(|suffix| suffix == "bin")) {
        let name = name.display();
        return Err(usage(format_args!("{name}: games of datagen become PTN with tak-lab games, see lab/README.md")));
    }
    let mut games = args.files.open()?;
    values::check_outputs(&games.files(), &[out_file])?;
    let limits = Limits { max_plies: args.max_plies, nodes: args.nodes };
    let threads = args.threads.unwrap_or_else(values::cores);
    // No more than there are games, as far as that can be found out.
    let mut again = games.again();
    let mut more = 0..threads;
    while let Some(counted) = again.as_mut().filter(|_| more.next().is_some()) {
        if counted.next()?.is_none() {
            break;
        }
    }
    let threads = again.map_or(threads, |counted| counted.number().max(1) as usize);
    check_memory(FINDER_MIB.saturating_mul(threads))?;
    let stop = stop_on_signal();
    let finders = (0..threads).map(|_| Finder::new(limits, &stop));
    let finders = finders.collect::<Result<Vec<_>, _>>()?;

    let needed = Needed::new(args);
    let mut ending = Ending::new(args, format, Arc::clone(&needed), games.places(), out)?;
    games.count_for(&ending.progress, |_, _| 1);
    let (is_done, size, mistakes) = (Arc::clone(&needed), args.size, args.from_mistakes);
    let terms = Terms { size, komi: args.komi };
    let next = move || {
        let game = if is_done.any() { games.next()? } else { None };
        Ok(game.map(|(number, text)| Source::new(number, &text, terms.read(&text))))
    };
    let work = |finder: &mut Finder, source: Source| {
        let findings = match &source.game {
            Some(game) if size.is_none_or(|size| size == game.position().size()) => {
                let of = mistakes.then(|| sides(args, &source));
                finder.find(game, of, |kind| needed.has(kind))
            }
            _ => Ok(Findings::default()),
        };
        (source, findings)
    };
    let check = if out_file.is_none() { check_reader } else { || Ok(()) };
    let take = |(source, findings): (Source, Result<Findings, HashError>)| ending.take(source, findings?);
    let done = in_order(finders, next, work, check, &stop, take);
    ending.progress.finish();
    done?;
    let interrupted = stop.load(SeqCst);
    ending.conclude(interrupted)
}

/// The kinds that need more puzzles.
struct Needed([AtomicBool; Kind::ALL.len()]);

impl Needed {
    fn new(args: &Args) -> Arc<Self> {
        let is_asked = |kind| args.kind.is_empty() || args.kind.contains(&kind);
        Arc::new(Self(Kind::ALL.map(|kind| AtomicBool::new(is_asked(kind)))))
    }

    fn has(&self, kind: Kind) -> bool {
        self.0[kind as usize].load(SeqCst)
    }

    fn any(&self) -> bool {
        Kind::ALL.into_iter().any(|kind| self.has(kind))
    }

    fn fill(&self, kind: Kind) {
        self.0[kind as usize].store(false, SeqCst);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Ptn,
}

struct Ending<'a> {
    args: &'a Args,
    format: Format,
    puzzles: ResultFile<'a>,
    /// Stdout for the totals, if the puzzles do not go there.
    totals_out: Option<&'a mut dyn Write>,
    progress: Progress,
    places: Places,
    held: Held<(Source, Findings)>,
    /// Games on boards of other sizes than the one asked for.
    other_sizes: BTreeMap<Size, u64>,
    /// Games without the player asked for.
    others: u64,
    needed: Arc<Needed>,
    seen: HashSet<(Kind, String)>,
    found: [usize; Kind::ALL.len()],
    games: u64,
    faults: u64,
    positions: u64,
    undecided: u64,
    duplicates: u64,
}

impl<'a> Ending<'a> {
    fn new(
        args: &'a Args,
        format: Format,
        needed: Arc<Needed>,
        places: Places,
        out: &'a mut dyn Write,
    ) -> anyhow::Result<Self> {
        let (puzzles, totals_out) = ResultFile::create_or_stdout(args.out.as_deref(), args.force, out)?;
        Ok(Self {
            args,
            format,
            puzzles,
            totals_out,
            progress: Progress::new("games", None),
            places,
            held: Held::new(),
            other_sizes: BTreeMap::new(),
            others: 0,
            needed,
            seen: HashSet::new(),
            found: Default::default(),
            games: 0,
            faults: 0,
            positions: 0,
            undecided: 0,
            duplicates: 0,
        })
    }

    /// Takes the next game.
    fn take(&mut self, source: Source, findings: Findings) -> anyhow::Result<()> {
        let unreadable = source.fault.clone().filter(|_| source.game.is_none());
        for (_, (source, findings)) in self.held.push(source.number, unreadable.as_deref(), (source, findings)) {
            self.add(&source, &findings)?;
        }
        Ok(())
    }

    /// Writes the puzzles of a game, and reports its fault.
    fn add(&mut self, source: &Source, findings: &Findings) -> anyhow::Result<()> {
        if !self.needed.any() {
            return Ok(());
        }
        let place = self.places.place(source.number);
        if let Some(fault) = &source.fault {
            self.faults += 1;
            say_fault(&self.progress, &place, fault);
        }
        say_deviations(&source.deviations, |warning| say_fault(&self.progress, &place, warning));
        let size = source.game.as_ref().map(|game| game.position().size());
        if let Some(other) = size.filter(|size| self.args.size.is_some_and(|wanted| wanted != *size)) {
            *self.other_sizes.entry(other).or_default() += 1;
        } else if size.is_some() && sides(self.args, source).0 == [false; 2] {
            self.others += 1;
        }
        self.games += 1;
        self.positions += findings.positions;
        for kind in Kind::ALL.into_iter().filter(|&kind| self.needed.has(kind)) {
            self.undecided += findings.undecided[kind as usize];
        }
        for puzzle in &findings.puzzles {
            if self.needed.has(puzzle.kind) {
                self.write(puzzle, source)?;
            }
        }
        let found: usize = self.found.iter().sum();
        self.progress.say_more(&counted(found as u64, "puzzle", "puzzles"));
        self.progress.add(1);
        Ok(())
    }

    /// Writes a puzzle unless it has been there before.
    fn write(&mut self, puzzle: &Puzzle, source: &Source) -> anyhow::Result<()> {
        if !self.seen.insert((puzzle.kind, key(&puzzle.setup))) {
            self.duplicates += 1;
            return Ok(());
        }
        let (number, tags) = (source.number + 1, &source.ptn.tags);
        match self.format {
            Format::Json => self.puzzles.append(&(json::line(puzzle, number, tags)? + "\n"))?,
            Format::Ptn => self.puzzles.append_game(&ptn::text(puzzle, tags)?)?,
        }
        let found = &mut self.found[puzzle.kind as usize];
        *found += 1;
        if Some(*found) == self.args.count {
            self.needed.fill(puzzle.kind);
        }
        Ok(())
    }

    fn conclude(self, interrupted: bool) -> anyhow::Result<ExitCode> {
        self.held.end(&self.places)?;
        if self.found.iter().all(|&found| found == 0) {
            say(&format_args!("no puzzle found"));
        }
        let sizes = self.other_sizes.iter().map(|(size, count)| format!("{count} on {size}x{size}"));
        let name = self.args.player.as_deref().filter(|_| self.others > 0);
        let parts: Vec<_> = sizes.chain(name.map(|name| format!("{} without {name}", self.others))).collect();
        if !parts.is_empty() {
            let games = counted(self.games, "game", "games");
            say(&format_args!("left out of {games}: {}", parts.join(", ")));
        }
        if let Some(out) = self.totals_out {
            let found = Kind::ALL.map(|kind| format!("{} {kind}", self.found[kind as usize]));
            let found = found.join(", ");
            let games = counted(self.games, "game", "games");
            let positions = counted(self.positions, "position", "positions");
            writeln!(out, "{games}, {positions}: {found}")?;
            writeln!(out, "skipped: {} undecided, {} duplicates", self.undecided, self.duplicates)?;
            out.flush()?;
        }
        if interrupted {
            let total = self.progress.total().map_or_else(String::new, |total| format!(" of {total}"));
            return Ok(end_interrupted(&format!(
                "searched {}{total} games; the last ones may be incomplete",
                self.games
            )));
        }
        if self.faults == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        say(&format_args!("error: {} of {} games are not whole", self.faults, self.games));
        Ok(ExitCode::from(FAILURE))
    }
}

/// The players of a game whose mistakes are asked for.
fn sides(args: &Args, source: &Source) -> ByColor<bool> {
    players(args.player.as_deref(), |tag| source.ptn.tag(tag).map(ToOwned::to_owned))
}

/// By the end of the name.
fn format_of(path: &Path) -> anyhow::Result<Format> {
    let ends = |end: &str| {
        let extension = path.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case(end))
    };
    if ends("jsonl") || values::is_device(path) {
        Ok(Format::Json)
    } else if ends("ptn") {
        Ok(Format::Ptn)
    } else {
        let path = path.display();
        Err(usage(format_args!("{path}: the name must end in .jsonl or .ptn")))
    }
}
