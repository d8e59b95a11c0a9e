//! Moves made on the board of a page, as people make them.

use tak_engine::board::{Move, MoveKind, PieceKind};

use super::browsing::Page;

/// The input device of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Mouse,
    Keys,
}

impl Page {
    /// Makes a move on the board, and waits until it is played.
    pub fn make(&self, mv: &str, by: By) {
        let mv: Move = mv.parse().unwrap();
        let count = self.moves().len();
        let is_played = || self.moves().len() > count;
        self.to_square(&mv.square().to_string(), by, mv.kind());
        if let MoveKind::Spread(direction, pattern) = mv.kind() {
            self.wait("document.querySelector('.square.lifted')");
            for (steps, drop) in (1..).zip(pattern.drops()) {
                let on = mv.square().step(direction, steps).to_string();
                for index in 0..drop.count {
                    // If there is only one square for the rest, it is dropped at once.
                    if is_played() {
                        return;
                    }
                    let in_hand = self.in_hand();
                    match by {
                        By::Mouse => self.click(&format!("#square-{on}")),
                        By::Keys if index > 0 => self.keys("Enter"),
                        By::Keys => {
                            self.cursor_to(&on);
                            self.keys("Enter");
                        }
                    }
                    self.wait_for(&format!("a piece falls on {on}"), || is_played() || self.in_hand() < in_hand);
                }
            }
        }
        self.wait_for(&format!("{mv} is played"), is_played);
    }

    /// Places a piece, or lifts the pieces to spread.
    fn to_square(&self, square: &str, by: By, kind: MoveKind) {
        if by == By::Keys {
            self.cursor_to(square);
        }
        match kind {
            MoveKind::Place(kind) => {
                let name = match kind {
                    PieceKind::Flat => "flat",
                    PieceKind::Wall => "wall",
                    PieceKind::Cap => "capstone",
                };
                let chosen = || self.eval("document.querySelector('#kinds [aria-pressed=true]').dataset.kind");
                while chosen() != name {
                    let before = chosen();
                    match by {
                        By::Mouse => self.click(&format!("[data-kind={name}]")),
                        By::Keys => self.keys("c"),
                    }
                    self.wait_for("another kind is chosen", || chosen() != before);
                }
                match by {
                    By::Mouse => self.click(&format!("#square-{square}")),
                    By::Keys => self.keys("Enter"),
                }
            }
            MoveKind::Spread(_, pattern) => {
                let count = pattern.lifted();
                match by {
                    By::Mouse => {
                        self.click(&format!("#square-{square}"));
                        self.wait("document.querySelector('.square.lifted')");
                        self.click(&format!("[data-count='{count}']"));
                        self.wait(&format!("document.querySelectorAll('#pile .icon').length === {count}"));
                    }
                    By::Keys => self.keys(&format!("{count} Enter")),
                }
            }
        }
    }

    /// Moves the cursor there with the arrow keys.
    fn cursor_to(&self, square: &str) {
        let at = || {
            let cursor = self.eval("document.querySelector('[role=gridcell][aria-selected=true]').dataset.square");
            cursor.as_str().unwrap().to_owned()
        };
        let from = at();
        let place = |name: &str| {
            let bytes = name.as_bytes();
            (i32::from(bytes[0]), i32::from(bytes[1]))
        };
        let ((column, row), (to_column, to_row)) = (place(&from), place(square));
        for (key, back, steps) in [("Right", "Left", to_column - column), ("Up", "Down", to_row - row)] {
            for _ in 0..steps.abs() {
                self.keys(if steps > 0 { key } else { back });
            }
        }
        self.wait_for(&format!("the cursor comes to {square}"), || at() == square);
    }

    fn in_hand(&self) -> usize {
        let lifted =
            self.eval("document.querySelector('.square.lifted') ? document.querySelectorAll('#pile .icon').length : 0");
        lifted.as_u64().unwrap_or(0) as usize
    }
}
