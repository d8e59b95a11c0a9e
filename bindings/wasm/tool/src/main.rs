//! Makes the glue between JavaScript and a module, and the files of the weights: `tak-engine-glue MODULE
//! FOLDER NAME`. With the word `deflate` after it also a compressed module, for a script that contains it.

mod order;

use std::env;
use std::fs::{self, File};
use std::path::Path;

use anyhow::Context;
use tak_engine::board::Size;
use tak_engine::engine::WeightSet;
use wasm_bindgen_cli_support::Bindgen;
use zopfli::{Format, Options};

fn main() -> anyhow::Result<()> {
    let mut arguments = env::args_os().skip(1);
    let module = arguments.next().context("the module is missing")?;
    let folder = arguments.next().context("the folder is missing")?;
    let name = arguments.next().and_then(|name| name.into_string().ok()).context("the name is missing")?;
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .out_name(&name)
        .typescript(false)
        .omit_default_module_path(true)
        .remove_producers_section(true)
        .generate(&folder)?;
    let module = Path::new(&folder).join(format!("{name}_bg.wasm"));
    let sorted = order::by_name(&fs::read(&module)?).with_context(|| module.display().to_string())?;
    fs::write(&module, &sorted)?;
    if arguments.next().is_some_and(|word| word == "deflate") {
        let packed = File::create(module.with_extension("wasm.deflate"))?;
        zopfli::compress(Options::default(), Format::Zlib, &*sorted, packed)?;
    }
    for size in Size::ALL {
        let file = Path::new(&folder).join(format!("weights-{size}.bin"));
        fs::write(&file, WeightSet::default().packed(size)).with_context(|| file.display().to_string())?;
    }
    Ok(())
}
