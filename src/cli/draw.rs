//! `tak-engine draw`: board diagrams.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::errors::usage;
use super::game_file::{PtnGames, is_file_name, played};
use super::stderr::{say, say_deviations};
use super::values::{self, Place, check_outputs};
use crate::board::{AnyPosition, Game, Komi, Setup};
#[cfg(feature = "png")]
use crate::draw::png;
use crate::draw::{Diagram, Theme};
use crate::files::text::{open_regular, replace};
use crate::notation::{Deviations, ReadGame, excerpt, read_first_move, read_game};

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
    /// A TPS (quoted or as three words), or a PTN file, whose last position is drawn
    #[arg(value_name = "TPS | FILE.ptn", num_args = 1..=3, required = true)]
    position: Vec<String>,
    /// Number of the game in a PTN file with several games, from 1
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(1..=u64::MAX))]
    game: Option<u64>,
    /// A place in the game instead of its end: 24 is after 24 plies, 12w where White makes move 12, 12b where
    /// Black does
    #[arg(long, value_name = "N|12w", value_parser = values::place)]
    ply: Option<Place>,
    /// A move to be drawn on the position: a spread as an arrow with its drops, a placement as a pale piece; may be
    /// given six times
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    /// Komi in flats, -10 to 10 in halves, overriding a PTN file's [default: 0]
    #[arg(long, value_parser = values::komi, allow_negative_numbers = true)]
    komi: Option<Komi>,
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

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    // First of all, so that a wrong suffix is reported before any work.
    let is_png = args.out.as_deref().map(is_png).transpose()?;
    check_outputs(args.file().as_slice(), &[args.out.as_deref()])?;
    if let Some(path) = &args.out {
        values::check_writable(path, args.force)?;
    }
    let game = args.game()?;
    let mut start = game.position().to_setup();
    let mut deviations = Deviations::default();
    let moves = args.moves.iter().map(|text| {
        let read = read_first_move(text, &mut start, true, &mut deviations);
        read.with_context(|| format!("--move {text:?}"))
    });
    let moves = moves.collect::<anyhow::Result<Vec<_>>>()?;
    say_deviations(&deviations, |warning| say(&warning));
    let diagram = Diagram::of(&game).with_moves(&moves)?.flipped(args.flip);
    let svg = diagram.svg(args.theme, args.width);
    match args.out.as_deref().zip(is_png) {
        None => out.write_all(svg.as_bytes())?,
        Some((path, is_png)) => {
            let picture = if is_png { png(&svg)? } else { svg.into_bytes() };
            replace(path, &picture).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The file to draw from, unless the position is given in words.
    fn file(&self) -> Option<&Path> {
        match self.position.as_slice() {
            [file] => Some(Path::new(file)).filter(|_| is_file_name(file)),
            _ => None,
        }
    }

    fn game(&self) -> anyhow::Result<Game> {
        if let Some(file) = self.file() {
            let (number, read) = self.chosen(file)?;
            say_deviations(&read.deviations, |warning| say(&format_args!("{}: {warning}", file.display())));
            return played(&read, &self.adapted(read.game.start.clone()), self.ply)
                .with_context(|| format!("{}, game {number}", file.display()));
        }
        if self.game.is_some() || self.ply.is_some() {
            return Err(usage("--game and --ply need a PTN file"));
        }
        let text = self.position.join(" ");
        let setup = values::position(&text)?;
        let position = AnyPosition::from_setup(&self.adapted(setup))
            .with_context(|| format!("cannot play from {:?}", excerpt(&text)))?;
        Ok(Game::new(position))
    }

    /// The game of a file that is asked for, and its number.
    fn chosen(&self, file: &Path) -> anyhow::Result<(u64, ReadGame)> {
        let cannot = || format!("cannot read {}", file.display());
        let mut games = open_regular(file).and_then(PtnGames::read).with_context(cannot)?;
        let wanted = self.game.unwrap_or(1);
        let (mut found, mut chosen) = (0, None);
        while let Some((_, text)) = games.next().with_context(cannot)? {
            found += 1;
            if found == wanted {
                chosen = Some(read_game(&text, None));
            }
        }
        let file = file.display();
        let Some(game) = chosen else { bail!("{file} has {found} games, there is no game {wanted}") };
        if self.game.is_none() && found > 1 {
            bail!("{file} has several games, say which by --game");
        }
        Ok((wanted, game))
    }

    /// A position with the komi that flags ask for.
    fn adapted(&self, setup: Setup) -> Setup {
        let komi = self.komi.unwrap_or(setup.komi);
        Setup { komi, ..setup }
    }
}

/// Returns whether a picture is to be written as PNG, by the suffix of its file, and otherwise as SVG.
fn is_png(path: &Path) -> anyhow::Result<bool> {
    let is = |suffix: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(suffix));
    match (is("svg"), is("png")) {
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
