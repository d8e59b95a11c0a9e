//! `tak-engine draw`: board diagrams.

use std::ffi::OsString;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail, ensure};
use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::errors::{error_line, usage, usage_by};
use super::game_file::{PtnGames, TermArgs, hinted, played};
use super::source::{Source, is_stdin_piped};
use super::stderr::{say, say_deviations};
use super::values::{self, Place, check_outputs, check_size, is_device};
use crate::board::{AnyPosition, Game, Setup};
#[cfg(feature = "png")]
use crate::draw::png;
use crate::draw::{Diagram, Theme};
use crate::files::text::decode;
use crate::lines::lines_of;
use crate::notation::{Deviations, ReadGame, counted, read_first_move};
use crate::openings::book::entry;

/// Draws a board diagram as SVG or PNG.
///
/// Shown are all pieces with the height of tall stacks, flats on top (with komi), reserves, whose turn it is, the last
/// move of a PTN file, and a winning road.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tak-engine draw \"x6/x3,1,x2/x2,2C,1,x2/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 6\" > board.svg
  tak-engine draw game.ptn --ply 24 --move Cc3 --move 3e3+ --theme print --out board.png")]
pub struct Args {
    /// A TPS (quoted or as three words), a file with one, or a PTN file, whose last position is drawn; - for stdin;
    /// without it, a piped stdin
    #[arg(value_name = "TPS | FILE | -")]
    position: Vec<OsString>,
    /// Number of the game in a PTN file with several games, from 1
    #[arg(long, value_name = "N", value_parser = values::nodes())]
    game: Option<u64>,
    /// A place in the game instead of its end: 24 is after 24 plies, 12w where White makes move 12, 12b where
    /// Black does
    #[arg(long, value_name = "N|12w", value_parser = values::place)]
    ply: Option<Place>,
    /// A move to be drawn on the position: a spread as an arrow with its drops, a placement as a pale piece; may be
    /// given six times
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    #[command(flatten)]
    terms: TermArgs,
    /// Colours: for light or dark pages, those of a wooden board, as much contrast as possible, or black and white
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    /// Width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 640, value_parser = values::number::<u32>(32..=8192))]
    width: u32,
    /// Write to this file, as SVG or PNG by its suffix, instead of SVG to stdout
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    out: Option<PathBuf>,
    /// Overwrite files that already exist
    #[arg(long)]
    force: bool,
}

/// The themes, as the command line names them.
impl ValueEnum for Theme {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

/// More of a list is not read: a diagram shows one position.
const MAX_LIST_BYTES: u64 = 1 << 20;

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    // First of all, so that a wrong suffix is reported before any work.
    let out_file = values::output_file(args.out.as_deref());
    let is_png = out_file.map(is_png).transpose()?;
    let source = args.source()?;
    let input = if let Source::File(path) = &source { Some(path.as_path()) } else { None };
    check_outputs(input.as_slice(), &[out_file])?;
    if let Some(path) = out_file {
        values::check_writable(path, args.force)?;
    }
    let game = args.game_of(&source)?;
    let mut start = game.position().to_setup();
    let mut deviations = Deviations::default();
    let moves = args.moves.iter().map(|text| {
        let read = read_first_move(text, &mut start, true, &mut deviations);
        read.with_context(|| format!("--move {text:?}")).map_err(|error| usage_by(&error))
    });
    let moves = moves.collect::<Result<Vec<_>, _>>()?;
    say_deviations(&deviations, |warning| say(&warning));
    let diagram = Diagram::of(&game).with_moves(&moves).map_err(usage)?.flipped(args.flip);
    let svg = diagram.svg(args.theme, args.width);
    let picture = if is_png == Some(true) { png(&svg)? } else { svg.into_bytes() };
    values::write_output(out_file, &picture, out)?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn source(&self) -> anyhow::Result<Source> {
        match <[_; 1]>::try_from(Source::all(&self.position)?) {
            Ok([source]) => Ok(source),
            Err(none) if none.is_empty() && is_stdin_piped() => Ok(Source::Stdin),
            Err(none) if none.is_empty() => Err(usage("a TPS or a PTN file is missing, or - for stdin")),
            Err(_) => Err(usage("expected one TPS or one PTN file; a diagram shows one position")),
        }
    }

    fn game_of(&self, source: &Source) -> anyhow::Result<Game> {
        if let Source::Position(text) = source {
            return self.game_of_tps(text, source).map_err(|error| usage_by(&error));
        }
        let opened = source.open()?;
        if opened.is_list() {
            return self.game_of_list(source, opened.input);
        }
        let (number, read) = self.chosen(source, opened.input)?;
        say_deviations(&read.deviations, |warning| say(&format_args!("{source}: {warning}")));
        let game = played(&read, &read.game.start, self.ply);
        game.map_err(|error| anyhow!("{source}, game {number}: {}", hinted(&error_line(&error))))
    }

    fn game_of_tps(&self, text: &str, source: &Source) -> anyhow::Result<Game> {
        if self.game.is_some() || self.ply.is_some() {
            return Err(usage("--game and --ply need a PTN file"));
        }
        let setup = values::position(text)?;
        check_size(self.terms.size, setup.size, "the position, which is")?;
        let komi = self.terms.komi.unwrap_or(setup.komi);
        let position = AnyPosition::from_setup(&Setup { komi, ..setup });
        Ok(Game::new(position.with_context(|| format!("cannot play from {source}"))?))
    }

    /// The only position of a list.
    fn game_of_list(&self, source: &Source, input: impl Read) -> anyhow::Result<Game> {
        let mut bytes = Vec::new();
        input.take(MAX_LIST_BYTES).read_to_end(&mut bytes).with_context(|| format!("cannot read {source}"))?;
        let text = decode(bytes);
        let mut positions = lines_of(&text).filter_map(entry);
        let first = positions.next().unwrap_or_default();
        if positions.next().is_some() {
            bail!("{source} holds several positions; a diagram shows one");
        }
        self.game_of_tps(first, source).with_context(|| format!("cannot read {source}"))
    }

    /// The game of a file that is asked for, and its number.
    fn chosen(&self, source: &Source, input: Box<dyn BufRead + Send>) -> anyhow::Result<(u64, ReadGame)> {
        let cannot = || format!("cannot read {source}");
        let (mut games, terms) = (PtnGames::new(input), self.terms.terms());
        let wanted = self.game.unwrap_or(1);
        let mut chosen = None;
        while let Some((number, text)) = games.next().with_context(cannot)? {
            if number + 1 == wanted {
                chosen = Some(terms.read(&text));
            }
        }
        ensure!(games.count() > 0, "no game in {source}");
        let Some(game) = chosen else {
            bail!("{source} has {}, there is no game {wanted}", counted(games.count(), "game", "games"))
        };
        if self.game.is_none() && games.count() > 1 {
            bail!("{source} has several games, say which by --game");
        }
        Ok((wanted, game))
    }
}

/// Returns whether a picture is to be written as PNG, by the suffix of its file, and otherwise as SVG.
fn is_png(path: &Path) -> anyhow::Result<bool> {
    let is = |suffix: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(suffix));
    match (is("svg") || is_device(path), is("png")) {
        (true, _) => Ok(false),
        (_, true) if cfg!(feature = "png") => Ok(true),
        (_, true) => Err(usage(NO_PNG)),
        _ => Err(usage(format_args!("{}: the suffix must be .svg or .png", path.display()))),
    }
}

const NO_PNG: &str = "this build has no PNG; install with --features png, or write to a file with the suffix .svg";

#[cfg(not(feature = "png"))]
fn png(_: &str) -> anyhow::Result<Vec<u8>> {
    bail!(NO_PNG)
}
