//! The margins of the search as options, for tuners. They hold for the whole process, and from the next search on.

use super::options::{EngineOption, OptionError, spin};
use crate::search::params::{PARAMS, tuning};

/// One for each margin, in their order.
pub(super) fn options() -> impl Iterator<Item = EngineOption> {
    PARAMS.iter().map(|margin| spin(margin.name, margin.value, margin.min, margin.max))
}

/// Sets the margin of this name; false if there is none.
///
/// # Errors
/// [`OptionError`] when it does not take the value.
pub(super) fn set(name: &str, value: &str) -> Result<bool, OptionError> {
    let mut options = options().enumerate();
    let Some((place, option)) = options.find(|(_, option)| option.name.eq_ignore_ascii_case(name)) else {
        return Ok(false);
    };
    tuning::set(place, option.value(value)?);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_take_their_range_and_no_more() {
        assert_eq!(set("Hash", "1"), Ok(false));
        for margin in PARAMS {
            assert!(set(margin.name, &(margin.max + 1).to_string()).is_err());
            assert!(set(margin.name, "x").is_err());
        }
        // What other tests of this process find does not depend on this one.
        let place = PARAMS.iter().position(|margin| margin.name == "solve_unlikely");
        let place = place.unwrap();
        let usual = PARAMS[place].value;
        assert_eq!(set("Solve_Unlikely", &(usual + 1).to_string()), Ok(true));
        assert_eq!(tuning::get(place), usual + 1);
        assert_eq!(set("solve_unlikely", &usual.to_string()), Ok(true));
    }
}
