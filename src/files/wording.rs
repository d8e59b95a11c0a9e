//! Faults of settings and journals in our own words, in the place of those of serde, which name types of Rust.

/// The fault that serde names, or another one as it is, after the name of the setting that is at fault.
pub fn own_words(message: &str) -> String {
    let (fault, place) = message.trim_end().split_once('\n').unwrap_or((message.trim_end(), ""));
    let setting = place.trim_end().strip_prefix("in `").and_then(|place| place.strip_suffix('`'));
    let mismatch = ["invalid type: ", "invalid value: "].iter().find_map(|kind| fault.strip_prefix(kind));
    let fault = if let Some((found, expected)) = mismatch.and_then(|rest| rest.split_once(", expected ")) {
        // Such as integer `3`.
        let found = match found.find(['`', '"']) {
            Some(quoted) => &found[quoted..],
            None if found == "sequence" => "list",
            None => found,
        };
        let expected = match expected {
            "a boolean" => "true or false",
            "a sequence" => "a list",
            "a string" => "a text",
            "path string" => "a file name",
            "f64" => "a number",
            _ if expected.starts_with("struct ") => "a table of settings",
            _ if expected.starts_with(['u', 'i']) => "a whole number",
            other => other,
        };
        format!("invalid value {found}: expected {expected}")
    } else if let Some(name) = fault.strip_prefix("missing field ") {
        format!("{name} is missing")
    } else {
        fault.replace("unknown field", "unknown setting").replace("unknown variant", "invalid value")
    };
    setting.map_or(fault.clone(), |setting| format!("{setting}: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_rust_are_not_named() {
        for (theirs, ours) in [
            ("invalid type: floating point `1.5`, expected u64", "invalid value `1.5`: expected a whole number"),
            ("invalid type: sequence, expected struct DrawRule\n", "invalid value list: expected a table of settings"),
            ("unknown variant `x`, expected `a` or `b`\nin `c`\n", "c: invalid value `x`, expected `a` or `b`"),
            ("missing field `a`", "`a` is missing"),
            ("duplicate key", "duplicate key"),
        ] {
            assert_eq!(own_words(theirs), ours);
        }
    }
}
