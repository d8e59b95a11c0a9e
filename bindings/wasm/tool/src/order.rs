//! The order of the functions in a module.

use std::cmp::Reverse;
use std::convert::Infallible;

use anyhow::Context;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionSectionReader, KnownCustom, Name, Parser, Payload, TypeRef,
};

/// Sorts the functions of a module by their names, which it takes away, and their lengths. Then the instances of a function
/// for the six board sizes are beside each other, and compress well: gzip only finds what is repeated within 32 KiB.
pub fn by_name(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    let (mut names, mut lengths) = (Vec::new(), Vec::new());
    let (mut imported, mut count) = (0, 0);
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::FunctionSection(section) => count = section.count(),
            Payload::CodeSectionEntry(body) => lengths.push(body.range().len()),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(subsections) = section.as_known() {
                    for subsection in subsections {
                        if let Name::Function(map) = subsection? {
                            names = map.into_iter().collect::<Result<_, _>>()?;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    names.retain(|naming| naming.index >= imported);
    anyhow::ensure!(names.len() == count as usize, "{} of {count} functions have names", names.len());
    names.sort_by_key(|naming| (without_hash(naming.name), Reverse(lengths[(naming.index - imported) as usize])));
    let order: Vec<u32> = names.iter().map(|naming| naming.index - imported).collect();
    let mut places = vec![0; order.len()];
    for (place, &index) in (imported..).zip(&order) {
        places[index as usize] = place;
    }
    let mut sorted = Module::new();
    Sorter { imported, order, places }
        .parse_core_module(&mut sorted, Parser::new(0), module)
        .context("the module cannot be sorted")?;
    Ok(sorted.finish())
}

/// A mangled name without the number that differs between instances, and between places of the same source.
fn without_hash(name: &str) -> &str {
    name.rsplit_once("17h").map_or(name, |(name, _)| name)
}

struct Sorter {
    /// The number of imported functions, which come before all others.
    imported: u32,
    /// The other functions in their new order, by their old numbers without the imported ones.
    order: Vec<u32>,
    /// Their new numbers.
    places: Vec<u32>,
}

impl Reencode for Sorter {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(index.checked_sub(self.imported).map_or(index, |own| self.places[own as usize]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for &index in &self.order {
            functions.function(types[index as usize]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for index in self.order.clone() {
            utils::parse_function_body(self, code, bodies[index as usize].clone())?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        match section.as_known() {
            KnownCustom::Name(_) => Ok(()),
            _ => utils::parse_custom_section(self, module, section),
        }
    }
}
