//! Values of the game in JSON, for journals: moves and opening rules as text, scores and players as numbers.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::{Color, Move, OpeningRule};
use crate::search::Score;
use crate::tei::info::Claim;

macro_rules! text {
    ($($value:ty)+) => {$(
        impl Serialize for $value {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $value {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

text! { Move OpeningRule }

/// The number behind it.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i32(self.value())
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::try_from_value(i32::deserialize(from)?).ok_or_else(|| D::Error::custom("beyond all scores"))
    }
}

/// As in TPS: 1 for White, 2 for Black.
impl Serialize for Color {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(self.index() as u8 + 1)
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match u8::deserialize(from)? {
            1 => Ok(Self::White),
            2 => Ok(Self::Black),
            _ => Err(D::Error::custom("expected 1 or 2")),
        }
    }
}

/// In the words of TEI, such as `{"win":5}`.
impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map([(self.result(), self.plies())])
    }
}

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let words = BTreeMap::<String, u32>::deserialize(from)?;
        let claim = words.first_key_value().filter(|_| words.len() == 1);
        let claim = claim.and_then(|(result, &plies)| Self::new(result, plies));
        claim.ok_or_else(|| D::Error::custom("expected one of win, loss and draw, with plies"))
    }
}
