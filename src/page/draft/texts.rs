//! Squares and directions as the page writes them.

/// Squares as `c3`.
pub mod square_text {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::board::{Move, Square};

    // serde asks for a reference
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(square)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let text = String::deserialize(deserializer)?;
        // The shortest move is a square.
        let square = text.parse::<Move>().ok().map(Move::square);
        square
            .filter(|square| square.to_string() == text)
            .ok_or_else(|| de::Error::custom("expected a square such as c3"))
    }
}

/// Directions as `+`, `>`, `-`, `<`.
pub mod direction_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use crate::board::Direction;

    // serde asks for a reference
    #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(direction: &Option<Direction>, serializer: S) -> Result<S::Ok, S::Error> {
        direction.map(Direction::symbol).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Direction>, D::Error> {
        let Some(symbol) = Option::<char>::deserialize(deserializer)? else {
            return Ok(None);
        };
        let direction = Direction::ALL.into_iter().find(|direction| direction.symbol() == symbol);
        direction.map(Some).ok_or_else(|| de::Error::custom("expected a direction: + > - or <"))
    }
}
