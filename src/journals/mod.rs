pub mod hash;
pub mod journal;
