//! Diagrams: all pieces of the board are in the picture, in their places.

use std::collections::BTreeMap;

use crate::folder::{Folder, ended};
use crate::for_all_sizes;
use crate::playout::{STYLES, random_game};
use roxmltree::{Document, Node};
use tak_engine::board::{
    AnyPosition, ByColor, Color, Game, Komi, Move, PieceKind, Position, Reserve, Setup, SetupStack, Size, Square,
};
use tak_engine::draw::{Diagram, MovesError, Theme};

/// A piece as it is found: colour and kind.
type Piece = (Color, PieceKind);
/// Pieces by square and level, 1 for the lowest.
type Board = BTreeMap<(String, usize), Piece>;

fn classes<'a>(node: &Node<'a, '_>) -> Vec<&'a str> {
    node.attribute("class").unwrap_or_default().split(' ').collect()
}

fn of_class<'a, 'input>(document: &'a Document<'input>, class: &str) -> Vec<Node<'a, 'input>> {
    let nodes = document.descendants().filter(Node::is_element);
    nodes.filter(|node| classes(node).contains(&class)).collect()
}

/// All texts of this class, in order.
fn texts<'a>(document: &'a Document, class: &str) -> Vec<&'a str> {
    let texts = of_class(document, class).into_iter();
    texts.filter_map(|node| node.attribute("data-text")).collect()
}

fn number(node: &Node, name: &str) -> f64 {
    let value = node.attribute(name).unwrap_or_else(|| panic!("no {name}"));
    value.parse().unwrap()
}

/// The pieces in an SVG, as its classes say.
fn shown(document: &Document) -> Board {
    let mut board = Board::new();
    for node in of_class(document, "piece") {
        let classes = classes(&node);
        let one_of = |names: &[&str]| {
            let mut found = (0..names.len()).filter(|&index| classes.contains(&names[index]));
            let index = found.next().unwrap();
            assert_eq!(found.next(), None, "{classes:?}");
            index
        };
        let color = Color::ALL[one_of(&["white", "black"])];
        let kind = PieceKind::ALL[one_of(&["flat", "wall", "cap"])];
        let square = node.attribute("data-square").unwrap().to_owned();
        let level = node.attribute("data-level").unwrap().parse().unwrap();
        assert_eq!(board.insert((square, level), (color, kind)), None);
    }
    board
}

/// The pieces on a board, by its TPS, of which the first word is enough.
fn expected(tps: &str) -> Board {
    let board = tps.split(' ').next().unwrap();
    let setup: Setup = format!("{board} 1 9").parse().unwrap();
    let pieces = setup.stacks.into_iter().flat_map(|SetupStack { square, colors, top }| {
        let height = colors.len();
        (1..).zip(colors).map(move |(level, color)| {
            let kind = if level == height { top } else { PieceKind::Flat };
            ((square.to_string(), level), (color, kind))
        })
    });
    pieces.collect()
}

/// The upper and lower end of the drawing of a piece.
fn extent(piece: &Node) -> (f64, f64) {
    let shapes = piece.descendants().filter(Node::is_element);
    let ends = shapes.filter_map(|shape| match shape.tag_name().name() {
        "rect" if shape.attribute("transform").is_some() => {
            // A wall lies on the diagonal.
            let middle = number(&shape, "y") + number(&shape, "height") / 2.0;
            let half = (number(&shape, "width") + number(&shape, "height")) / 8f64.sqrt();
            Some((middle - half, middle + half))
        }
        "rect" => Some((number(&shape, "y"), number(&shape, "y") + number(&shape, "height"))),
        "circle" => {
            let (middle, radius) = (number(&shape, "cy"), number(&shape, "r"));
            Some((middle - radius, middle + radius))
        }
        _ => None,
    });
    ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap()
}

/// Everything that must hold for the picture of any position.
fn check(game: &Game) {
    let position = game.position();
    let tps = position.to_string();
    let svg = Diagram::of(game).svg(Theme::Light, 480);
    let document = Document::parse(&svg).unwrap();
    assert_eq!(shown(&document), expected(&tps), "{tps}");

    // Every piece is to be seen: inside its square, and with a front that no other piece hides.
    let side = position.size().width();
    let mut fronts: BTreeMap<(&str, bool), Vec<(usize, f64)>> = BTreeMap::new();
    for piece in of_class(&document, "piece") {
        let square = piece.attribute("data-square").unwrap();
        let row: usize = square[1..].parse().unwrap();
        let top = 100.0 * (side - row) as f64;
        let (upper, lower) = extent(&piece);
        assert!(upper >= top - 4.0 && lower <= top + 100.0, "{upper} to {lower} in {square} from {top}: {tps}");
        let buried = classes(&piece).contains(&"buried");
        let level = piece.attribute("data-level").unwrap().parse().unwrap();
        let key = (square, buried);
        if classes(&piece).contains(&"flat") {
            fronts.entry(key).or_default().push((level, lower));
        }
    }
    for ((square, buried), mut levels) in fronts {
        levels.sort_by_key(|&(level, _)| level);
        let pieces = levels.len();
        let least = if buried { 65.0 / pieces as f64 } else { 5.0 };
        for pair in levels.windows(2) {
            let step = pair[0].1 - pair[1].1;
            assert!(step >= least.min(5.0), "{step} in {square}: {tps}");
        }
        assert!(buried || pieces <= side, "{pieces} carried in {square}: {tps}");
    }

    // Heights of tall stacks are written as numbers.
    let squares = (0..side).rev();
    let squares = squares.flat_map(|row| (0..side).map(move |column| Square::new(column, row)));
    let heights = squares.map(|square| position.height(square));
    let tall: Vec<String> = heights.filter(|&height| height > side).map(|height| height.to_string()).collect();
    assert_eq!(texts(&document, "count"), tall, "{tps}");

    let tops = |color| {
        let board = expected(&tps);
        let top = |(square, level): &(String, usize)| !board.contains_key(&(square.clone(), level + 1));
        let flat = |piece: &Piece| *piece == (color, PieceKind::Flat);
        let flats = board.iter().filter(|(key, piece)| top(key) && flat(piece));
        flats.count().to_string()
    };
    assert_eq!(texts(&document, "on-white"), [tops(Color::White)], "{tps}");
    assert_eq!(texts(&document, "on-black")[0], tops(Color::Black), "{tps}");
}

fn random_positions<const N: usize>(drawn: &mut usize) {
    for (seed, style) in STYLES.into_iter().enumerate() {
        let mut seen = 0;
        random_game::<N>(seed as u64, style, 120, |position, _| {
            seen += 1;
            // Few positions of a game are enough: they are alike.
            if seen % 7 == 3 || position.outcome().is_some() {
                let setup = position.to_setup();
                check(&Game::new(AnyPosition::from_setup(&setup).unwrap()));
                *drawn += 1;
            }
        });
    }
}

#[test]
fn every_piece_of_random_positions_is_found_again() {
    let mut drawn = 0;
    for_all_sizes!(random_positions(&mut drawn));
    assert!(drawn >= 200, "only {drawn}");
}

/// A board with one stack of a hundred, and many more stones than usual.
fn tower(size: Size, top: PieceKind) -> Game {
    let colors = |n: usize| (0..n).map(|level| Color::from_bit((level / 3) as u8));
    let mut setup = Setup::empty(size, Komi::from_half(5).unwrap());
    setup.reserves = ByColor([Reserve { stones: 60, caps: 3 }; 2]);
    setup.move_number = 70;
    setup.stacks = vec![
        SetupStack { square: Square::new(1, 1), colors: colors(100).collect(), top },
        SetupStack { square: Square::new(2, 1), colors: colors(9).collect(), top: PieceKind::Flat },
    ];
    Game::new(AnyPosition::from_setup(&setup).unwrap())
}

#[test]
fn a_stack_of_a_hundred_fits_its_square() {
    for size in Size::ALL {
        for top in PieceKind::ALL {
            let game = tower(size, top);
            check(&game);
            let svg = Diagram::of(&game).svg(Theme::Print, 480);
            let document = Document::parse(&svg).unwrap();
            assert_eq!(texts(&document, "count")[0], "100");
            assert_eq!(texts(&document, "on-black")[1], "+2.5");
        }
    }
}

#[test]
fn a_spread_is_an_arrow_with_its_drops() {
    let game = Game::new("x5/x5/x,12121,x3/x5/x4,2 1 9".parse().unwrap());
    let moves = ["4b3>112", "2b3>11", "3b3+12", "Sa1"].map(|text| text.parse().unwrap());
    let svg = Diagram::of(&game).with_moves(&moves).unwrap().svg(Theme::Light, 480);
    let document = Document::parse(&svg).unwrap();
    // Pale pieces come first, so that no arrow is hidden.
    let mut drawn = of_class(&document, "move");
    drawn.rotate_left(1);
    let names: Vec<_> = drawn.iter().map(|node| node.attribute("data-move").unwrap()).collect();
    let numbers = |index: usize| -> String {
        let texts = drawn[index].descendants();
        texts.filter_map(|node| node.attribute("data-text")).collect()
    };
    assert_eq!(names, ["4b3>112", "2b3>11", "3b3+12", "Sa1"]);
    assert_eq!([0, 1, 2, 3].map(numbers), ["A112", "B11", "C12", "D"]);
    let discs = |index: usize| -> Vec<(f64, f64)> {
        let discs = drawn[index].descendants();
        let discs = discs.filter(|node| classes(node).contains(&"disc"));
        discs.map(|node| (number(&node, "cx"), number(&node, "cy"))).collect()
    };
    // From b3 eastwards; the second beside the first; the third upwards.
    let row = |y: f64, xs: &[f64]| -> Vec<(f64, f64)> { xs.iter().map(|&x| (x, y)).collect() };
    assert_eq!(discs(0), row(250.0, &[150.0, 190.0, 250.0, 350.0, 450.0]));
    assert_eq!(discs(1), row(223.0, &[150.0, 190.0, 250.0, 350.0]));
    let ys = [250.0, 210.0, 150.0, 50.0];
    assert_eq!(discs(2), ys.map(|y| (150.0, y)));
    // A pale piece is not on the board.
    assert_eq!(shown(&document), expected(&game.position().to_string()));
    let pale = of_class(&document, "pale");
    assert_eq!((pale.len(), classes(&pale[0])), (1, vec!["pale", "white"]));
    assert!(texts(&document, "ink").ends_with(&["4b3>112", "2b3>11", "3b3+12", "Sa1"]));
}

#[test]
fn the_first_moves_place_pieces_of_the_opponent() {
    let mut game = Game::new(AnyPosition::start(Size::new(5).unwrap(), Komi::ZERO));
    for (ply, color) in ["black", "white", "white"].into_iter().enumerate() {
        let mv = ["a1", "e5", "c3"][ply].parse().unwrap();
        let svg = Diagram::of(&game).with_moves(&[mv]).unwrap().svg(Theme::Light, 480);
        let document = Document::parse(&svg).unwrap();
        assert_eq!(classes(&of_class(&document, "pale")[0]), ["pale", color]);
        game.play(mv).unwrap();
    }
}

#[test]
fn the_last_move_is_marked() {
    let mut game = Game::new(AnyPosition::start(Size::new(5).unwrap(), Komi::ZERO));
    let marked = |game: &Game| -> Vec<String> {
        let svg = Diagram::of(game).svg(Theme::Light, 480);
        let document = Document::parse(&svg).unwrap();
        // That in the legend is smaller.
        let marks = of_class(&document, "last").into_iter();
        let squares = marks.filter(|mark| number(mark, "width") > 50.0);
        let squares = squares.map(|mark| {
            let index = |name: &str| (number(&mark, name) / 100.0).floor() as usize;
            Square::new(index("x"), 4 - index("y")).to_string()
        });
        squares.collect()
    };
    assert_eq!(marked(&game), [""; 0]);
    for (mv, squares) in [
        ("a1", "a1"),
        ("e5", "e5"),
        ("e4", "e4"),
        ("a2", "a2"),
        ("e4+", "e4 e5"),
        ("a2-", "a2 a1"),
        ("2e5-11", "e5 e3 e4"),
    ] {
        game.play(mv.parse().unwrap()).unwrap();
        let mut expected: Vec<&str> = squares.split(' ').collect();
        let mut marked = marked(&game);
        expected.sort_unstable();
        marked.sort();
        assert_eq!(marked, expected, "{mv}");
    }
}

/// The squares of the road, if one is drawn; checked to lead from edge to edge over pieces of one colour.
fn road<const N: usize>(position: &Position<N>) -> Option<usize> {
    let game = Game::new(AnyPosition::from_setup(&position.to_setup()).unwrap());
    let svg = Diagram::of(&game).svg(Theme::Light, 480);
    let document = Document::parse(&svg).unwrap();
    let line = of_class(&document, "road-line").into_iter().next()?;
    let path = line.attribute("d").unwrap().trim_start_matches('M');
    let points: Vec<(f64, f64)> = path
        .split('L')
        .map(|point| {
            let (x, y) = point.split_once(' ').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        })
        .collect();
    let side = 100.0 * N as f64;
    let (first, last) = (points[0], points[points.len() - 1]);
    let edges = |a: f64, b: f64| a.min(b).abs() < 1e-9 && (a.max(b) - side).abs() < 1e-9;
    assert!(edges(first.0, last.0) || edges(first.1, last.1), "{path}");
    let inner = &points[1..points.len() - 1];
    let mut owners = Vec::new();
    for (x, y) in inner {
        let square = Square::new((x / 100.0) as usize, N - 1 - (y / 100.0) as usize);
        let (color, kind) = position.top(square).unwrap();
        assert!(kind.is_road());
        owners.push(color);
    }
    owners.dedup();
    assert_eq!(owners, [position.outcome().unwrap().winner.unwrap()]);
    for pair in inner.windows(2) {
        let far = (pair[0].0 - pair[1].0).abs() + (pair[0].1 - pair[1].1).abs();
        assert!((far - 100.0).abs() < 1e-9, "{path}");
    }
    assert_eq!(of_class(&document, "road").len(), inner.len());
    assert!(of_class(&document, "turn").is_empty());
    Some(inner.len())
}

fn roads_of_size<const N: usize>(roads: &mut usize) {
    for seed in 0..50 {
        random_game::<N>(seed, STYLES[1], 80, |position, _| {
            if position.outcome().is_some() {
                return;
            }
            let Some(mv) = position.winning_move(position.to_move()) else {
                return;
            };
            assert_eq!(road(position), None);
            let undo = position.play_unchecked(mv);
            assert!(road(position).is_some());
            position.unplay(mv, undo);
            *roads += 1;
        });
    }
}

#[test]
fn a_road_is_drawn_from_edge_to_edge() {
    let mut roads = 0;
    for_all_sizes!(roads_of_size(&mut roads));
    assert!(roads >= 100, "only {roads}");
    // The way around a wall.
    let bent: Position<5> = "1,1,1,x2/1,2S,1,x2/1,2,1,1,1/1S,2,2,x2/x5 2 12".parse().unwrap();
    assert_eq!(road(&bent), Some(7));
}

#[test]
fn a_diagram_names_the_side_to_move() {
    for (tps, class, title) in [
        ("x3/x,1,x/2,x2 1 2", "white", "Tak 3x3, move 2, White to play"),
        ("x3/x,1,x/2,1,x 2 2", "black", "Tak 3x3, move 2, Black to play"),
    ] {
        let game = Game::new(tps.parse().unwrap());
        let svg = Diagram::of(&game).svg(Theme::Dark, 480);
        let document = Document::parse(&svg).unwrap();
        let turn = of_class(&document, "turn");
        assert_eq!(turn[0].attribute("data-to-move"), Some(class));
        let word = |name: &str| {
            let mut nodes = document.root_element().children();
            nodes.find(|node| node.has_tag_name(name)).unwrap().text().unwrap()
        };
        assert_eq!(word("title"), title);
        assert!(word("desc").contains("b2 White flat."), "{}", word("desc"));
    }
    let game = tower(Size::new(5).unwrap(), PieceKind::Cap);
    let svg = Diagram::of(&game).svg(Theme::Light, 480);
    assert!(svg.contains("White: 1 flat, 3 stones and 3 capstones in reserve. Black: 0 flats, komi 2.5,"), "{svg}");
}

#[test]
fn colours_are_all_that_themes_change() {
    let game = tower(Size::new(6).unwrap(), PieceKind::Wall);
    let without_style = |theme: Theme| {
        let svg = Diagram::of(&game).svg(theme, 480);
        let (before, rest) = svg.split_once("<style>").unwrap();
        let (style, after) = rest.split_once("</style>").unwrap();
        assert!(!style.contains("url(") && !style.contains('@'));
        let scope = format!(" tak-{}\"", theme.name());
        assert!(before.contains(&scope), "{before}");
        before.replace(&scope, "\"") + after
    };
    let [light, others @ ..] = Theme::ALL.map(without_style);
    assert!(others.iter().all(|other| *other == light));
    // Nothing refers to anything else, so that pictures can share a page.
    assert!(!light.contains(" id=") && !light.contains("href"));
}

#[test]
fn only_legal_moves_are_drawn() {
    let game = Game::new("x3/1,1,x/2,2,x 1 3".parse().unwrap());
    let moves = |text: &str| -> Vec<Move> { text.split(' ').map(|text| text.parse().unwrap()).collect() };
    let refused = Diagram::of(&game).with_moves(&moves("c2 h8")).unwrap_err();
    assert!(matches!(refused, MovesError::Illegal { .. }), "{refused}");
    let seven = moves("a3 b3 c3 c2 c1 Sa3 Sb3");
    let refused = Diagram::of(&game).with_moves(&seven).unwrap_err();
    assert_eq!(refused, MovesError::TooMany(7));
    assert!(Diagram::of(&game).with_moves(&seven[1..]).is_ok());
}

const GAMES: &str = "[Size \"5\"]\n[Komi \"2\"]\n\n1. a1 e5 2. c3 {centre} d4' 3. c3> d4-- *\n\n\
                     [Size \"4\"]\n[Opening \"no-swap\"]\n\n1. a1 d4 2. a2 a2 *\n";

#[test]
fn the_program_draws_positions_and_games() {
    let folder = Folder::new("draw");
    folder.file("games.ptn", GAMES);
    folder.file("game.ptn", &GAMES[..GAMES.find("d4--").unwrap()]);
    let svg = |args: &[&str]| {
        let (svg, warning) = ended(folder.command("draw").args(args), 0);
        assert_eq!(warning, "", "{args:?}");
        svg
    };
    let board = |svg: &str| shown(&Document::parse(svg).unwrap());
    let from_words = svg(&["x3/x,12S,x/x3", "1", "5", "--komi", "-0.5", "--width", "300"]);
    assert_eq!(from_words, svg(&["x3/x,12S,x/x3 1 5", "--komi=-0.5", "--width=300"]));
    assert_eq!(board(&from_words), expected("x3/x,12S,x/x3 1 5"));
    assert!(from_words.contains("data-text=\"-0.5\"") && from_words.contains("width=\"300\""));
    let last = svg(&["game.ptn"]);
    assert_eq!(board(&last), expected("x4,1/x3,2,x/x3,1,x/x5/2,x4"));
    assert!(last.contains("data-text=\"+2\"") && last.contains("data-move=\"c3&gt;\""));
    assert!(!svg(&["game.ptn", "--move", "a5"]).contains("data-move=\"c3&gt;\""));
    let earlier = svg(&["game.ptn", "--ply", "4", "--move", "c3>", "--move", "Sa2", "--theme", "dark"]);
    assert_eq!(board(&earlier), expected("x4,1/x3,2,x/x2,1,x2/x5/2,x4"));
    assert_eq!(Document::parse(&earlier).map(|d| of_class(&d, "move").len()), Ok(2));
    assert_eq!(svg(&["game.ptn", "--ply", "3w"]), svg(&["game.ptn", "--ply", "4"]));
    assert_eq!(board(&svg(&["game.ptn", "--ply", "0"])), Board::new());
    assert_eq!(board(&svg(&["games.ptn", "--game", "2", "--ply", "2"])), expected("x3,2/x4/x4/1,x3"));
    // The part after the requested place may be malformed.
    assert_eq!(board(&svg(&["games.ptn", "--game", "1", "--ply", "1"])), expected("x5/x5/x5/x5/2,x4"));
    // Into a file it is the same.
    assert!(svg(&["game.ptn", "--out", "last.SVG"]).is_empty());
    assert_eq!(folder.text("last.SVG"), last);
}

#[cfg(feature = "png")]
#[test]
fn a_png_shows_the_same_without_any_font() {
    use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};

    let (folder, tps) = (Folder::new("draw-png"), "x3/x,12S,x/1,2,x 1 5");
    for (theme, white, black) in
        [("light", 0xff_ff_ff, 0x41_4c_54), ("dark", 0xf0_f2_f1, 0x1d_22_26), ("print", 0xff_ff_ff, 0x1a_1a_1a)]
    {
        let words = [tps, "--theme", theme, "--width", "376", "--out", "board.png", "--force"];
        crate::folder::succeed(folder.command("draw").args(words));
        let pixels = Pixmap::load_png(folder.0.join("board.png")).unwrap();
        // One pixel a unit: the board is 300 wide, with 38 on both sides, and 66 above.
        assert_eq!((pixels.width(), pixels.height()), (376, 66 + 300 + 36));
        let at = |x: u32, y: u32| {
            let color = pixels.pixel(x + 38, y + 66).unwrap().demultiply();
            [color.red(), color.green(), color.blue()].into_iter().fold(0, |all, part| all << 8 | u32::from(part))
        };
        assert_eq!(at(50, 242), white, "a1");
        assert_eq!(at(150, 242), black, "b1");
        // The wall, and beside it the flat below it.
        assert_eq!(at(150, 150), black, "{theme}");
        assert_eq!(at(130, 140), white, "{theme}");
        // Coordinates and counts are not blank.
        let rows = 66 + 300..pixels.height();
        let row = |y: u32| (0..300).map(move |x| (x, y));
        let below = rows.flat_map(row).map(|(x, y)| pixels.pixel(x, y).unwrap());
        let mut colors: Vec<_> = below.map(PremultipliedColorU8::red).collect();
        colors.sort_unstable();
        colors.dedup();
        assert!(colors.len() > 5, "{theme}: no letters");
    }
}

#[test]
fn a_flipped_board_is_turned_by_half_a_turn() {
    let folder = Folder::new("draw-flip");
    // All of a picture but the names of squares, moves and the position.
    let shapes = |svg: &str| {
        let document = Document::parse(svg).unwrap();
        let named = ["data-square", "data-text"];
        let shape = |node: Node| {
            let attributes = node.attributes().filter(|attribute| !named.contains(&attribute.name()));
            attributes
                .map(|attribute| attribute.name().to_owned() + "=" + attribute.value())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let pieces = ["piece", "line", "head"].into_iter().flat_map(|class| of_class(&document, class));
        let mut shapes: Vec<String> =
            pieces.flat_map(|piece| piece.descendants().map(shape).collect::<Vec<_>>()).collect();
        shapes.sort();
        shapes
    };
    let (board, turned) = ("x5/x4,2/x5/12C,x4/1,x4 1 5", "x4,1/x4,12C/x5/2,x4/x5 1 5");
    let flipped = folder.succeed_quietly(&format!("draw --flip --move a1> {board}"));
    assert_eq!(shapes(&flipped), shapes(&folder.succeed_quietly(&format!("draw --move e5< {turned}"))));
    assert_ne!(shapes(&flipped), shapes(&folder.succeed_quietly(&format!("draw --move a1> {board}"))));
}
