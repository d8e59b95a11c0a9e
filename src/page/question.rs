//! The questions of the page: their names, who answers them, and the names of the answers. The page gets this table with
//! the first message.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::record::Fault;

/// Who answers a question of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worker {
    /// [`answer`](super::answer()), at once.
    Clerk,
    /// [`think`](super::think()), or nobody: the question ends the task in progress.
    Engine,
    /// An [`Explorer`](super::Explorer).
    Explorer,
    /// A second engine, if the server has one.
    Second,
}

/// The kinds of questions, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Describes a position of a game.
    View,
    /// Lists the legal moves.
    Moves,
    /// Lists the positions of a game.
    Line,
    /// Reads PTN or TPS.
    Read,
    /// Writes PTN and TPS.
    Write,
    /// Searches a position.
    Think,
    /// Annotates a whole game.
    Annotate,
    /// Finds the best defence in a puzzle, in which the opponent of the player to move should win in so many plies.
    Defend,
    /// Ends the task in progress.
    Stop,
    /// Takes a part of a collection of games.
    Collect,
    /// Counts the moves that were played from a position.
    Explore,
    /// Tells what a table of openings has of a position.
    Openings,
    /// Makes the page about an annotated game.
    Print,
    /// Takes a part of a file, and lists its games.
    List,
    /// Draws a position.
    Draw,
    /// Says why a move is good.
    Why,
    /// Says why the mistakes of an annotated game are mistakes.
    Reasons,
    /// Lets a second engine analyse a position, choose a move or say whether it plays such games.
    Consult,
}

impl Kind {
    /// The name of each kind, who answers, and the name of the only answer or of the one that ends several. Nothing
    /// answers `stop`.
    const TABLE: [(Self, &str, Worker, &str); 18] = [
        (Self::View, "view", Worker::Clerk, "view"),
        (Self::Moves, "moves", Worker::Clerk, "legal"),
        (Self::Line, "line", Worker::Clerk, "line"),
        (Self::Read, "read", Worker::Clerk, "found"),
        (Self::Write, "write", Worker::Clerk, "text"),
        (Self::Think, "think", Worker::Engine, "best"),
        (Self::Annotate, "annotate", Worker::Engine, "annotation"),
        (Self::Defend, "defend", Worker::Engine, "defence"),
        (Self::Stop, "stop", Worker::Engine, ""),
        (Self::Collect, "collect", Worker::Explorer, "collected"),
        (Self::Explore, "explore", Worker::Explorer, "explored"),
        (Self::Openings, "openings", Worker::Explorer, "openings"),
        (Self::Print, "print", Worker::Explorer, "page"),
        (Self::List, "list", Worker::Explorer, "listed"),
        (Self::Draw, "draw", Worker::Explorer, "picture"),
        (Self::Why, "why", Worker::Explorer, "reasons"),
        (Self::Reasons, "reasons", Worker::Explorer, "reasons"),
        (Self::Consult, "consult", Worker::Second, "consulted"),
    ];

    /// An answer under its name.
    pub fn answer(self, value: Value) -> Value {
        let mut answer = Value::Null;
        answer[Self::TABLE[self as usize].3] = value;
        answer
    }
}

/// The table of all questions for the page.
pub(super) fn table() -> Value {
    // Not collected: sorting the names takes 3 kB of the compressed module in a web page.
    let mut table = Value::Null;
    for (_, name, worker, answer) in Kind::TABLE {
        let worker = match worker {
            Worker::Clerk => "clerk",
            Worker::Engine => "engine",
            Worker::Explorer => "explorer",
            Worker::Second => "second",
        };
        table[name] = json!({"worker": worker, "answer": answer});
    }
    table
}

/// A question of the page, read once: one JSON object with a number, a kind and further fields.
#[derive(Debug)]
pub struct Question {
    pub(super) id: u64,
    /// `None` if it is unknown.
    pub(super) kind: Option<Kind>,
    /// They are taken one by one, since a derived reader of all kinds of questions takes 25 kB of the compressed module
    /// in a web page.
    fields: Value,
}

impl Question {
    /// Reads a question. `None` if the text has no question number and so cannot be answered.
    pub fn read(text: &str) -> Option<Self> {
        let fields: Value = serde_json::from_str(text).ok()?;
        let id = fields["id"].as_u64()?;
        let row = Kind::TABLE.iter().find(|(_, name, ..)| fields["do"] == *name);
        Some(Self { id, kind: row.map(|(kind, ..)| *kind), fields })
    }

    /// Who answers it. The clerk refuses unknown questions.
    pub fn worker(&self) -> Worker {
        self.kind.map_or(Worker::Clerk, |kind| Kind::TABLE[kind as usize].2)
    }

    /// Takes a field; null and an absent field are the same.
    pub(super) fn take<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T, Fault> {
        let value = self.fields.get_mut(name).map(Value::take).unwrap_or_default();
        serde_json::from_value(value).map_err(|error| format!("invalid field {name:?}: {error}").into())
    }

    /// The same, with a default for an absent field.
    pub(super) fn take_or_default<T: DeserializeOwned + Default>(&mut self, name: &'static str) -> Result<T, Fault> {
        Ok(self.take::<Option<T>>(name)?.unwrap_or_default())
    }
}

/// The reason why nothing answers a question here.
pub(super) fn unknown() -> Fault {
    "unknown question: the page and the program may be of different versions, try reloading the page".into()
}

/// An answer with the number of its question.
pub(super) fn message(id: u64, mut answer: Value) -> String {
    answer["id"] = id.into();
    answer.to_string()
}

/// The answer that refuses a question.
pub(super) fn refusal(id: u64, fault: &Fault) -> String {
    message(id, json!({"error": fault.to_string()}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_in_the_order_of_the_table() {
        for (at, (kind, name, worker, _)) in Kind::TABLE.into_iter().enumerate() {
            assert_eq!(kind as usize, at, "{name}");
            let question = Question::read(&json!({"id": 1, "do": name}).to_string()).unwrap();
            assert_eq!((question.kind, question.worker()), (Some(kind), worker), "{name}");
        }
    }
}
