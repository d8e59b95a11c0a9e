//! What a sentence says, derived again from its words alone.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::theirs::{
    Place, Their, Top, after, all_moves, answers, are_beside, at, can_join, comes_nearer, filled, fills_a_road, flats,
    groups_beside, has_capstone, is_road_of, missing, missing_with, roads, squares, turned, wins_in_two,
};
use fast_tak::GameResult;
use fast_tak::takparse::{Color as TheirColor, Piece, Square as TheirSquare};
use regex::Regex;
use tak_engine::analysis::explain::Reason;

/// Compiled once.
static PATTERNS: Mutex<BTreeMap<&str, Regex>> = Mutex::new(BTreeMap::new());

/// What sentences are about: a move, the game before and after it, and a better move with the lines of both.
pub struct Claim<'a, const N: usize> {
    pub before: &'a Their<N>,
    pub mv: String,
    pub after: Their<N>,
    pub lines: [Vec<String>; 2],
    pub context: String,
}

fn color(name: &str) -> TheirColor {
    if name == "White" { TheirColor::White } else { TheirColor::Black }
}

/// The words in a text that has this form.
pub fn words(pattern: &'static str, text: &str) -> Option<Vec<String>> {
    let mut patterns = PATTERNS.lock().unwrap();
    let pattern = patterns.entry(pattern).or_insert_with(|| Regex::new(&format!("^{pattern}$")).unwrap());
    let found = pattern.captures(text)?;
    Some(found.iter().skip(1).flatten().map(|part| part.as_str().to_owned()).collect())
}

fn number(text: &str) -> i64 {
    ["zero", "one", "two"].iter().position(|&word| word == text).map_or_else(|| text.parse().unwrap(), |at| at as i64)
}

/// "2.5 flats ahead" in half flats.
fn half_flats(text: &str) -> i64 {
    let ahead = text.strip_suffix(" ahead").or_else(|| text.strip_suffix(" behind")).unwrap_or(text);
    let size = match ahead.split(' ').next().unwrap() {
        "level" => 0,
        "half" => 1,
        flats => (2.0 * flats.parse::<f64>().unwrap()) as i64,
    };
    if text.ends_with("behind") { -size } else { size }
}

impl<const N: usize> Claim<'_, N> {
    fn is(&self, what: bool, text: &str) {
        assert!(what, "{}: {text}", self.context);
    }

    /// Checks what a move of a game does.
    fn check_effect(&self, game: &Their<N>, mv: &str, text: &str) {
        let Some(then) = after(game, mv) else { panic!("{}: {mv} cannot be played: {text}", self.context) };
        let (mover, opponent) = (game.to_move, !game.to_move);
        let is = |what: bool| self.is(what, &format!("{mv} {text}"));
        let is_road = |mv: &String| roads(&then, mover).contains(mv);
        if let Some(said) = words(
            r"threatens (?:a road with (\S+): no answer prevents one|roads with (\S+) and (\S+): no answer prevents a road)",
            text,
        ) {
            is(said.iter().all(is_road));
            is(answers(&then).all(|reply| reply.result() == GameResult::Ongoing && !roads(&reply, mover).is_empty()));
        } else if let Some(said) = words(r"threatens a road with (\S+)(?: or (\S+))?", text) {
            is(said.iter().all(is_road) && said.get(1) != Some(&said[0]));
        } else if let Some(said) = words(r"flattens the wall on (..)", text) {
            is(at(game, &said[0]).top().is_some_and(|(piece, _)| piece == Piece::Wall));
            is(at(&then, &said[0]).top() == Some((Piece::Cap, mover)));
        } else if let Some(said) = words(r"captures the stack of (\d+) on (..)", text) {
            let owner = |game| at(game, &said[1]).top().map(|(_, owner)| owner);
            is(owner(game) == Some(opponent) && owner(&then) == Some(mover));
            is(i64::from(at(game, &said[1]).size()) == number(&said[0]));
        } else if let Some(said) =
            words(r"(?:un)?covers (\S+) of (\w+)’s flats(?: and uncovers (\S+) of (\w+)’s)?", text)
        {
            let mine = |game| flats(game, mover);
            if text.starts_with("un") {
                return is(mine(&then) - mine(game) == number(&said[0]) && color(&said[1]) == mover);
            }
            let covered = squares(game)
                .into_iter()
                .zip(squares(&then))
                .filter(|((_, top), (_, then))| *top == Some((Piece::Flat, opponent)) && then.is_some() && then != top);
            is(covered.count() as i64 == number(&said[0]) && color(&said[1]) == opponent);
            is(said.get(2).is_none_or(|own| mine(&then) - mine(game) == number(own) && color(&said[3]) == mover));
        } else if let Some(said) = words(r"comes within (\d+) empty squares? of a road", text) {
            is(missing(&then, mover).map(|squares| squares as i64) == Some(number(&said[0])));
            is(missing(game, mover).is_none_or(|squares| squares as i64 > number(&said[0])));
        } else if let Some(said) = words(r"stops (\w+)’s road with (\S+)", text) {
            is(color(&said[0]) == opponent && roads(game, opponent).contains(&said[1]));
            is(roads(&then, opponent).is_empty());
        } else if words(r"leaves (\w+) no road over empty squares", text).is_some() {
            is(missing(&then, opponent).is_none() && missing(game, opponent).is_some());
        } else if let Some(said) = words(r"leaves (\w+) (\d+) empty squares from a road instead of (\d+)", text) {
            let needs = |game| missing(game, color(&said[0])).map(|squares| squares as i64);
            is(needs(&then) == Some(number(&said[1])) && needs(game) == Some(number(&said[2])));
        } else if let Some(said) = words(
            r"(locks in|frees|pins) (\w+)’s (capstone|stack of (?:\d+)) on (..)(?:, which could not move|: if it moves, (\w+) has a road)?",
            text,
        ) {
            self.check_stack(game, &then, &said);
            is(text.contains("could not") == (said[0] == "frees"));
            is(said.get(4).map(|owner| color(owner)) == (said[0] == "pins").then_some(mover));
        } else if let Some(said) = words(r"joins (\w+) of (\w+)’s groups", text) {
            is(groups_beside(game, &mv[mv.len() - 2..], mover) as i64 == number(&said[0]) && color(&said[1]) == mover);
        } else if let Some(said) = words(r"keeps (\w+) of (\w+)’s groups apart", text) {
            is(groups_beside(game, &mv[mv.len() - 2..], opponent) as i64 == number(&said[0]));
            is(color(&said[1]) == opponent && at(game, &mv[mv.len() - 2..]).is_empty());
            is(!can_join(&then, &mv[mv.len() - 2..]));
        } else if let Some(said) =
            words(r"places a capstone (beside (\d) of (\w+)’s pieces|in the centre|next to the centre)", text)
        {
            let place = (usize::from(mv.as_bytes()[1] - b'a'), usize::from(mv.as_bytes()[2] - b'1'));
            let enemies = squares(game)
                .into_iter()
                .filter(|&(at, top)| are_beside(at, place) && top.is_some_and(|(_, owner)| owner == opponent));
            // Twice the distance from the middle of the board.
            let distance = [place.0, place.1].map(|along| (2 * along).abs_diff(N - 1)).into_iter().max().unwrap();
            is(mv.starts_with('C'));
            is(if said.len() > 1 {
                enemies.count() as i64 == number(&said[1])
            } else {
                (distance < 2) == (said[0] == "in the centre") && distance <= 2
            });
        } else {
            panic!("{}: unknown sentence {mv} {text:?}", self.context);
        }
    }

    /// Checks what is said about a stack: the verb, its owner, its name and its square.
    fn check_stack(&self, game: &Their<N>, then: &Their<N>, said: &[String]) {
        let [verb, owner, name, square, ..] = said else { panic!("{said:?}") };
        let (mover, owner) = (game.to_move, color(owner));
        let stack = at(then, square);
        let is_capstone = stack.top() == Some((Piece::Cap, owner));
        let height = if is_capstone { "capstone".to_owned() } else { format!("stack of {}", stack.size()) };
        self.is(*name == height && stack.top().is_some_and(|(_, top)| top == owner), name);
        let gives_road = |game: &Their<N>, mv: &String| {
            let next = after(game, mv).unwrap();
            is_road_of(&next, mover) || next.result() == GameResult::Ongoing && !roads(&next, mover).is_empty()
        };
        let [earlier, later] = [game, then].map(|game| turned(game, owner));
        let spreads = |game: &Their<N>| {
            let mut moves = all_moves(game);
            moves.retain(|mv| {
                mv.contains(['+', '-', '<', '>'])
                    && mv.trim_start_matches(char::is_numeric).starts_with(square.as_str())
            });
            moves
        };
        let (first, last) = (spreads(&earlier), spreads(&later));
        self.is(
            match verb.as_str() {
                "locks in" => owner != mover && !first.is_empty() && last.is_empty(),
                "frees" => owner == mover && first.is_empty() && !last.is_empty(),
                _ => {
                    let is_pinned =
                        |game, moves: &[String]| !moves.is_empty() && moves.iter().all(|mv| gives_road(game, mv));
                    owner != mover && is_pinned(&later, &last) && !is_pinned(&earlier, &first)
                }
            },
            verb,
        );
    }

    pub fn check(&self, reason: &Reason) {
        let (mover, opponent) = (self.before.to_move, !self.before.to_move);
        let text = reason.text.strip_suffix('.').unwrap();
        let is = |what: bool| self.is(what, text);
        let then = |mv: &str| after(self.before, mv).unwrap();
        if let Some(said) = words(r"(\S+) completes (?:a|(\w+)’s) road", text) {
            is(is_road_of(&then(&said[0]), said.get(1).map_or(mover, |owner| color(owner))));
        } else if let Some(said) = words(r"(\S+) ends the game: (\w+) wins by (.+) flats?", text) {
            let end = then(&said[0]);
            let lead = flats(&end, color(&said[1])) - flats(&end, !color(&said[1]));
            is(said[2] == lead.to_string() && lead > 0 && end.result() != GameResult::Ongoing);
        } else if let Some(said) = words(r"(\S+) ends the game in a draw on flats", text) {
            is(flats(&then(&said[0]), mover) == flats(&then(&said[0]), opponent));
        } else if let Some(said) = words(r"(\w+) leaves (..) open: (\w+) completes a road there", text) {
            is(color(&said[0]) == mover && color(&said[2]) == opponent);
            is(roads(&self.after, opponent).iter().all(|mv| mv.ends_with(&said[1])));
            is(!roads(&self.after, opponent).is_empty());
        } else if let Some(said) = words(r"After (\S+) (\w+) completes a road with (\S+)", text) {
            is(color(&said[1]) == opponent && roads(&then(&said[0]), opponent).contains(&said[2]));
        } else if let Some(said) =
            words(r"(\S+) stops (\w+)’s road with (\S+?)(?:; after any other move (\w+) completes (one))?", text)
        {
            is(color(&said[1]) == opponent && roads(self.before, opponent).contains(&said[2]));
            is(roads(&then(&said[0]), opponent).is_empty());
            is(said.len() < 5 || self.saving().all(|mv| mv == said[0]));
        } else if let Some(said) = words(r"Without a piece on (..) (\w+) completes a road", text) {
            is(color(&said[1]) == opponent && !roads(self.before, opponent).is_empty());
            is(self.saving().all(|mv| mv.ends_with(&said[0]) && mv.len() < 4));
        } else if let Some(said) = words(r"After (\S+) (\w+) ends the game with (\S+) and wins on flats", text) {
            let end = after(&then(&said[0]), &said[2]).unwrap();
            let lead = flats(&end, opponent) - flats(&end, mover);
            is(color(&said[1]) == opponent && end.result() != GameResult::Ongoing && lead > 0);
            is(!is_road_of(&end, opponent) && !is_road_of(&end, mover));
        } else if let Some(said) = words(
            r"After (\S+) (\w+) can answer (\S+), which (.+?)(?:; (\S+) (?:prevents that|threatens first))?",
            text,
        ) {
            is(color(&said[1]) == opponent);
            self.check_effect(&then(&said[0]), &said[2], &said[3]);
            is(!text.ends_with("threatens first") || !roads(&then(&said[4]), mover).is_empty());
            is(said.get(4).is_none_or(|better| !can_do(&then(better), &then(&said[0]), &said[2], &said[3])));
        } else if let Some(said) = words(r"(\S+) (keeps|prepares) (\S+), which (.+)", text) {
            let waiting = turned(&then(&said[0]), mover);
            self.check_effect(&waiting, &said[2], &said[3]);
            let other = turned(&self.after, mover);
            is(!can_do(&other, &waiting, &said[2], &said[3]));
            let [now, then] = [self.before, &waiting].map(|game| strength(game, &said[2], &said[3]));
            is((said[1] == "keeps") == (now >= then));
        } else if let Some(said) = words(r"After (.+) the engine expects (White|Black)’s (\S+), which (.+)", text) {
            let game = self.followed(&said[0]);
            is(game.to_move == color(&said[1]));
            is(self.lines.iter().any(|line| line.join(" ").starts_with(&format!("{} {}", said[0], said[2]))));
            self.check_effect(&game, &said[2], &said[3]);
        } else if let Some(said) = words(r"If (\w+) does nothing, (\w+) has (\S+), which (.+)", text) {
            is(color(&said[0]) == mover && color(&said[1]) == opponent);
            self.check_effect(&turned(self.before, opponent), &said[2], &said[3]);
        } else if let Some(said) =
            words(r"If (\w+) does nothing, (\w+) forces a road in (?:at most )?(\d+) moves, beginning with (\S+)", text)
        {
            is(color(&said[1]) == opponent
                && (said[2] != "2" || wins_in_two(&turned(self.before, opponent), &said[3])));
        } else if let Some(said) =
            words(r"After (\S+) (\w+) forces a win in (?:at most )?(\d+) moves?(?:, beginning with (\S+))?", text)
        {
            is(color(&said[1]) == opponent && (said[2] != "2" || wins_in_two(&then(&said[0]), &said[3])));
        } else if let Some(said) = words(r"With (\S+) (\w+) forces a win in (?:at most )?(\d+) moves?", text) {
            is(color(&said[1]) == mover && (said[2] != "2" || wins_in_two(self.before, &said[0])));
        } else {
            self.check_count(text);
        }
    }

    /// Checks a sentence about flats or squares, or about what the move does.
    fn check_count(&self, text: &str) {
        let (mover, opponent) = (self.before.to_move, !self.before.to_move);
        let is = |what: bool| self.is(what, text);
        let then = |mv: &str| after(self.before, mv).unwrap();
        let needs = |game: &Their<N>, player: &str| {
            missing(game, color(player)).map_or_else(String::new, |squares| squares.to_string())
        };
        if let Some(said) = words(r"(\S+) ((?:un)?covers .+); then (.+)", text) {
            self.check_effect(self.before, &said[0], &said[1]);
            let [own, enemy] = [mover, opponent].map(|player| flats(&then(&said[0]), player));
            let name = |player| if player == TheirColor::White { "White" } else { "Black" };
            is(said[2]
                == match own.cmp(&enemy) {
                    std::cmp::Ordering::Greater => format!("{} leads {own} to {enemy}", name(mover)),
                    std::cmp::Ordering::Equal => format!("both have {own}"),
                    std::cmp::Ordering::Less => format!("{} leads {enemy} to {own}", name(opponent)),
                });
        } else if let Some(said) = words(r"If both only place flats after (\S+), (.+), (\w+) placing last", text) {
            let (last, lead) = filled(&then(&said[0]), TheirColor::White);
            is(last == color(&said[2]) && !fills_a_road(&then(&said[0])));
            is(match words(r"(\w+) wins by (.+)", &said[1]) {
                Some(won) => half_flats(&won[1]) == if won[0] == "White" { 2 * lead } else { -2 * lead },
                None => lead == 0,
            });
        } else if let Some(said) =
            words(r"If both only place flats, (\w+) ends (.+) after (\S+), (.+) after (\S+)", text)
        {
            let lead = |mv: &str| 2 * filled(&then(mv), color(&said[0])).1;
            is(color(&said[0]) == mover
                && half_flats(&said[1]) == lead(&said[2])
                && half_flats(&said[3]) == lead(&said[4])
                && ![&said[2], &said[4]].into_iter().any(|mv| fills_a_road(&then(mv))));
        } else if let Some(said) =
            words(r"(\S+) puts the capstone on a flat of its own colour, which it can leave behind", text)
        {
            let moved = squares(self.before)
                .into_iter()
                .zip(squares(&then(&said[0])))
                .filter(|((_, top), (_, now))| *top == Some((Piece::Flat, mover)) && *now == Some((Piece::Cap, mover)));
            is(moved.count() == 1);
        } else if let Some(said) = words(
            r"For a road (\w+) needs (\d+) more squares? after ([^(]+?)( \(.+\))?, but (\d+) after ([^(]+?)( \(.+\))?",
            text,
        ) {
            let (numbers, others): (Vec<&String>, Vec<&String>) =
                said[1..].iter().partition(|part| part.parse::<u8>().is_ok());
            let (squares, paths): (Vec<&String>, Vec<&String>) =
                others.into_iter().partition(|part| part.contains('('));
            let after = [self.followed(paths[0]), self.followed(paths[1])];
            is([0, 1].iter().all(|&which| needs(&after[which], &said[0]) == *numbers[which]));
            is(after.iter().all(|game| !comes_nearer(game, color(&said[0]))));
            // The squares that are named complete the road.
            let few = usize::from(number(numbers[1]) < number(numbers[0]));
            for squares in squares {
                let squares: Vec<&str> = squares[2..squares.len() - 1].split(", ").collect();
                is(squares.len().to_string() == *numbers[few]);
                is(missing_with(&after[few], color(&said[0]), &squares) == Some(0));
            }
        } else if let Some(said) =
            words(r"After (\S+) (\w+) needs (\d+) more squares? for a road instead of (\d+)", text)
        {
            is(needs(&then(&said[0]), &said[1]) == said[2]);
            is(missing(self.before, color(&said[1])).is_none_or(|before| before.to_string() == said[3]));
        } else if let Some(said) =
            words(r"After (\S+) (\w+) needs (\d+) more squares? for a road, (White|Black) (\d+)", text)
        {
            is(needs(&then(&said[0]), &said[1]) == said[2] && needs(&then(&said[0]), &said[3]) == said[4]);
        } else if let Some(said) = words(
            r"The engine expects (White|Black) (.+ahead|.+behind|level in flats) after (.+?), (.+ahead|.+behind|level in flats) after (.+)",
            text,
        ) {
            let lead = |path: &str| {
                let game = self.followed(path);
                is(roads(&game, mover).is_empty() && roads(&game, opponent).is_empty());
                2 * (flats(&game, mover) - flats(&game, opponent))
            };
            is(color(&said[0]) == mover);
            // Neither line places a wall or a capstone that the other one does not.
            let standing = |path: &str| {
                let moves: Vec<&str> = path.split(' ').collect();
                [0, 1]
                    .map(|player| moves.iter().skip(player).step_by(2).filter(|mv| mv.starts_with(['S', 'C'])).count())
            };
            is(standing(&said[2]) == standing(&said[4]));
            // The move played gains nothing that flats do not show.
            is(!self.mv.starts_with(['S', 'C']) || self.lines[1][0].starts_with(&self.mv[..1]));
            for (what, least) in [("flattens", 1), ("captures", 3), ("threatens", 1)] {
                let [gain, other] = [&self.mv, &self.lines[1][0]].map(|mv| strength(self.before, mv, what));
                is(gain.filter(|&gain| gain >= least) <= other);
            }
            is(lead(&said[2]) == half_flats(&said[1]) && lead(&said[4]) == half_flats(&said[3]));
        } else if let Some(said) = words(r"The engine expects the answer (\S+) to (\S+)", text) {
            is(after(&then(&said[1]), &said[0]).is_some());
        } else {
            self.check_pieces(text);
        }
    }

    /// Checks a sentence about the pieces on a square, or about what the move does.
    fn check_pieces(&self, text: &str) {
        let opponent = !self.before.to_move;
        let is = |what: bool| self.is(what, text);
        if let Some(said) = words(r"The wall on (..) (?:adds no flat and )?is part of no road(; the capstone.+)?", text)
        {
            is(self.mv == format!("S{}", said[0]));
            is(self.lines[1][0] == format!("{}{}", if said.len() > 1 { "C" } else { "" }, said[0]));
        } else if let Some(said) = words(r"(..) adds a flat and keeps the capstone for later", text) {
            is(self.mv == format!("C{}", said[0]) && self.lines[1][0] == said[0]);
        } else if let Some(said) = words(r"S(..) keeps the capstone for later", text) {
            is(self.mv == format!("C{}", said[0]));
        } else if let Some(said) = words(
            r"(\w+) can cover a flat on (..) with (\S+), but (not the capstone|a wall only with a capstone|not a wall)",
            text,
        ) {
            let piece = if said[3] == "not the capstone" { "C" } else { "S" };
            is(self.mv == said[1] && self.lines[1][0] == format!("{piece}{}", said[1]) && color(&said[0]) == opponent);
            let covered = after(&self.after, &said[2]).unwrap();
            is(at(&covered, &said[1]).size() > 1 && at(&covered, &said[1]).top() != Some((Piece::Cap, opponent)));
            let has_capstone = has_capstone(self.before, opponent);
            is(piece == "C" || has_capstone == said[3].ends_with("capstone"));
        } else if let Some(said) = words(r"(\S+) places (\w+)’s first flat (.+)", text) {
            is(color(&said[1]) == opponent && self.before.ply < 2);
            let is_far = |sign: u8, first: u8| sign == first || sign == first + N as u8 - 1;
            let edges = [(0, b'a'), (1, b'1')].map(|(at, first)| is_far(said[0].as_bytes()[at], first));
            let count = edges.into_iter().filter(|&is_edge| is_edge).count();
            is(count
                == match &*said[2] {
                    "away from the edge" => 0,
                    "on the edge" => 1,
                    _ => 2,
                });
        } else if let Some(said) = words(r"(\S+) (.+)", text) {
            self.check_effect(self.before, &said[0], &said[1]);
        }
    }

    /// The moves after which the opponent does not complete a road next.
    fn saving(&self) -> impl Iterator<Item = String> {
        let mover = self.before.to_move;
        all_moves(self.before).into_iter().filter(move |mv| {
            let next = after(self.before, mv).unwrap();
            match next.result() {
                GameResult::Ongoing => roads(&next, !mover).is_empty(),
                result => matches!(result, GameResult::Winner { color, .. } if color == mover),
            }
        })
    }

    /// The game after the beginning of a line.
    fn followed(&self, path: &str) -> Their<N> {
        self.is(self.lines.iter().any(|line| format!("{} ", line.join(" ")).starts_with(&format!("{path} "))), path);
        path.split(' ').fold(self.before.clone(), |game, mv| after(&game, mv).unwrap())
    }
}

/// The strength of the effect that a text names, if the move has it.
fn strength<const N: usize>(game: &Their<N>, mv: &str, text: &str) -> Option<i64> {
    let (mover, then) = (game.to_move, after(game, mv)?);
    if then.result() != GameResult::Ongoing || !roads(&then, !mover).is_empty() {
        return None;
    }
    if text.starts_with("threatens") {
        let is_sure =
            || answers(&then).all(|reply| reply.result() == GameResult::Ongoing && !roads(&reply, mover).is_empty());
        let sure = text.contains("no answer prevents");
        return (!roads(&then, mover).is_empty() && (!sure || is_sure())).then_some(1);
    }
    let board = || squares(game).into_iter().zip(squares(&then));
    let owner = |top: Top| top.map(|(_, owner)| owner);
    if text.starts_with("captures") {
        let taken = board().filter(|((_, top), (_, now))| owner(*top) == Some(!mover) && owner(*now) == Some(mover));
        let height =
            |(column, row): Place| i64::from(game.board.get(TheirSquare::new(column as u8, row as u8)).unwrap().size());
        return taken.map(|((place, _), _)| height(place)).max();
    }
    if text.starts_with("flattens") {
        let is_wall = |((_, top), (_, now)): &((Place, Top), (Place, Top))| {
            matches!(top, Some((Piece::Wall, _))) && matches!(now, Some((Piece::Cap, _)))
        };
        return board().any(|pair| is_wall(&pair)).then_some(1);
    }
    let covered =
        board().filter(|((_, top), (_, now))| *top == Some((Piece::Flat, !mover)) && top != now && now.is_some());
    let uncovered =
        if mv.contains(['+', '-', '<', '>']) { (flats(&then, mover) - flats(game, mover)).max(0) } else { 0 };
    Some(covered.count() as i64 + uncovered)
}

/// Returns whether a move of the player to move does at least as much as another move does elsewhere.
fn can_do<const N: usize>(game: &Their<N>, elsewhere: &Their<N>, mv: &str, text: &str) -> bool {
    let least = strength(elsewhere, mv, text).unwrap_or_else(|| panic!("{:?}: {mv} {text}", squares(elsewhere)));
    all_moves(game).iter().any(|mv| strength(game, mv, text).is_some_and(|strength| strength >= least))
}
