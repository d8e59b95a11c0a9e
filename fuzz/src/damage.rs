//! Damage to a good file, as by a crash, a bad disk or an editor.

use arbitrary::{Result, Unstructured};

/// `good` with all the damage that `data` describes.
pub fn damage(good: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    let mut source = Unstructured::new(data);
    while !source.is_empty() && bytes.len() < 4 * good.len() + 4096 {
        if one_damage(&mut bytes, &mut source).is_err() {
            break;
        }
    }
    bytes
}

fn one_damage(bytes: &mut Vec<u8>, source: &mut Unstructured) -> Result<()> {
    let kind = source.int_in_range(0..=4)?;
    let at = source.int_in_range(0..=bytes.len())?;
    let rest = bytes.len() - at;
    match kind {
        0 => bytes.truncate(at),
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= source.int_in_range(1..=255)?;
            }
        }
        2 => {
            let length = source.int_in_range(0..=rest)?;
            bytes.drain(at..at + length);
        }
        3 => {
            let length = source.int_in_range(0..=rest)?;
            let copy = bytes[at..at + length].to_vec();
            let to = source.int_in_range(0..=bytes.len())?;
            bytes.splice(to..to, copy);
        }
        _ => {
            let length = source.int_in_range(0..=40)?.min(source.len());
            let text = source.bytes(length)?.to_vec();
            let over = source.int_in_range(0..=rest.min(40))?;
            bytes.splice(at..at + over, text);
        }
    }
    Ok(())
}

/// A file of this name that belongs to this process alone and holds these bytes.
pub fn file_of(name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("tak-engine-fuzz-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("there is a folder for temporary files");
    path
}
