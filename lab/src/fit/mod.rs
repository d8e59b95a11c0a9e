//! Fits of weights to games: of the evaluation's terms, of its layer, and of the move order.

mod adam;
mod layer;
mod order;
mod prior;
#[cfg(test)]
mod reference;
mod terms;

pub(crate) use adam::Epoch;
pub(crate) use layer::{fit_layer, rescaled};
pub(crate) use order::{collect_choices, fit_order};
pub(crate) use prior::{layer_with_prior, with_prior};
pub(crate) use terms::{FitOptions, collect, fit};
