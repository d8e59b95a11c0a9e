//! The file of the page that describes questions and answers, compared with those of the program.

#![cfg(feature = "page")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::{Value, json};
use tak_engine::page::{Explorer, Question, hello};

use crate::page::{GAME, ask, ask_engine, from};

/// The types of the file: aliases, and interfaces with their fields. Only what the file needs of the language is read.
struct Protocol {
    aliases: HashMap<String, String>,
    /// Names of fields with their types; those with `true` may be absent.
    interfaces: HashMap<String, Vec<(String, String, bool)>>,
}

impl Protocol {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src/protocol.d.ts");
        let text = fs::read_to_string(path).unwrap();
        let alias = Regex::new(r"(?m)^export type ([A-Za-z_]+) = (.+);$").unwrap();
        let interface = Regex::new(r"(?ms)^export interface ([A-Za-z_]+) \{\n(.*?)^\}$").unwrap();
        let field = Regex::new(r"(?m)^  ([A-Za-z_]+)(\??): (.+);$").unwrap();
        let fields = |body: &str| {
            let fields = field.captures_iter(body);
            fields.map(|found| (found[1].to_owned(), found[3].to_owned(), &found[2] == "?")).collect()
        };
        let protocol = Self {
            aliases: alias.captures_iter(&text).map(|found| (found[1].to_owned(), found[2].to_owned())).collect(),
            interfaces: interface.captures_iter(&text).map(|found| (found[1].to_owned(), fields(&found[2]))).collect(),
        };
        assert_eq!(protocol.interfaces.len(), text.matches("\nexport interface ").count());
        protocol
    }

    /// Says why a value is not of a type, as a path to the fault.
    fn check(&self, value: &Value, kind: &str, place: &str) -> Result<(), String> {
        let fault = || Err(format!("{place}: {value:.200} is no {kind}"));
        let parts = split(kind, '|');
        if parts.len() > 1 {
            let is_one = parts.iter().any(|part| self.check(value, part, place).is_ok());
            return if is_one { Ok(()) } else { fault() };
        }
        if let Some(inner) = kind.strip_suffix("[]") {
            let inner = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(inner);
            let Some(all) = value.as_array() else { return fault() };
            return all.iter().try_for_each(|each| self.check(each, inner, &format!("{place}[]")));
        }
        if let Some(inner) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
            let parts = split(inner, ',');
            let Some(all) = value.as_array().filter(|all| all.len() == parts.len()) else { return fault() };
            return all.iter().zip(parts).try_for_each(|(each, part)| self.check(each, part, place));
        }
        if let Some(inner) = kind.strip_prefix("{ [name: string]: ").and_then(|kind| kind.strip_suffix(" }")) {
            let Some(all) = value.as_object() else { return fault() };
            return all.values().try_for_each(|each| self.check(each, inner, place));
        }
        if let Some(inner) = kind.strip_prefix("{ ").and_then(|kind| kind.strip_suffix(" }")) {
            let fields = split(inner, ';').into_iter().map(|field| field.split_once(": ").unwrap());
            let fields: Vec<_> = fields.map(|(name, kind)| (name.to_owned(), kind.to_owned(), false)).collect();
            return self.check_fields(value, &fields, place);
        }
        let is_it = match kind {
            "string" => value.is_string(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "unknown" => true,
            _ => match (self.aliases.get(kind), self.interfaces.get(kind)) {
                (Some(alias), _) => return self.check(value, alias, place),
                (_, Some(fields)) => return self.check_fields(value, fields, place),
                _ => value.as_str().is_some_and(|text| format!("'{text}'") == kind),
            },
        };
        if is_it { Ok(()) } else { fault() }
    }

    fn check_fields(&self, value: &Value, fields: &[(String, String, bool)], place: &str) -> Result<(), String> {
        let Some(object) = value.as_object() else { return Err(format!("{place}: {value:.200} is no object")) };
        if let Some(name) = object.keys().find(|name| fields.iter().all(|(field, ..)| field != *name)) {
            return Err(format!("{place}.{name} is not described"));
        }
        fields.iter().try_for_each(|(name, kind, is_optional)| match object.get(name) {
            Some(value) => self.check(value, kind, &format!("{place}.{name}")),
            None if *is_optional => Ok(()),
            None => Err(format!("{place}.{name} is missing")),
        })
    }
}

/// The parts of a type between separators that are not in brackets.
fn split(kind: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0, 0, Vec::new());
    for (at, character) in kind.char_indices() {
        match character {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            _ if character == separator && depth == 0 => {
                parts.push(kind[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(kind[begin..].trim());
    parts
}

#[test]
fn every_answer_is_as_the_page_expects() {
    let protocol = Protocol::read();
    let check = |value: &Value, kind: &str| protocol.check(value, kind, kind).unwrap_or_else(|fault| panic!("{fault}"));
    let moves: Vec<&str> = GAME.split(' ').collect();
    let game = json!({"start": {"size": 5, "half_komi": 4, "opening": "swap"}, "moves": moves});
    let greeting: Value = serde_json::from_str(&hello(None)).unwrap();
    check(&greeting["hello"], "Hello");
    let won = from(3, "x3/1,1,1/2,2,x 2 4");
    let threat = from(3, "x3/1,1,x/2,2,x 2 4");
    for position in [&game, &won, &threat, &from(5, "x5/x5/x5/1121,x4/x5 1 20")] {
        check(&ask(json!({"do": "view", "game": position}))["view"], "View");
        check(&ask(json!({"do": "line", "game": position}))["line"], "Line");
    }
    let names = json!({"white": "Ada", "black": "Bob", "tags": [["Round", "1"]], "comments": ["hello"]});
    let text = ask(json!({"do": "write", "game": game, "names": names}))["text"].take();
    check(&text, "GameText");
    let mut answers = ask_engine(json!({"do": "annotate", "game": game, "nodes": 3000}));
    let annotation = answers.pop().unwrap()["annotation"].take();
    check(&annotation, "Annotation");
    for text in [annotation["ptn"].as_str().unwrap(), "1. a1 e5 (1. b1 {ha} e5!) 2. c3", "x5/x5/x5/x5/x5 1 1"] {
        let found = ask(json!({"do": "read", "text": text, "like": {"size": 5, "opening": "swap"}}))["found"].take();
        check(&found, "Found");
    }
    for (position, limit) in [(&game["start"], 2000), (&threat["start"], 2000)] {
        let question = json!({"do": "think", "game": {"start": position, "moves": []}, "nodes": limit, "lines": 3});
        let answers = ask_engine(question);
        assert!(answers.len() > 1);
        for answer in answers.iter().filter(|answer| answer["report"].is_object()) {
            check(&answer["report"], "Report");
        }
    }
    for plies in [1, 3] {
        let mut answers = ask_engine(json!({"do": "defend", "game": threat, "plies": plies}));
        check(&answers.pop().unwrap()["defence"].take(), "Defence");
    }
    let mut explorer = Explorer::new(1000);
    let mut explore = |mut question: Value| -> Value {
        question["id"] = json!(1);
        serde_json::from_str(&explorer.answer(Question::read(&question.to_string()).unwrap())).unwrap()
    };
    explore(json!({"do": "collect", "bytes": 200}));
    let text = "[Size \"5\"]\n[Rating1 \"1500\"]\n1. a1 e5 2. c3 1-0\n\n[Size \"5\"]\n1. a1 a1\n";
    check(&explore(json!({"do": "collect", "text": text, "end": true}))["collected"], "Collected");
    let start = json!({"start": {"size": 5, "opening": "swap"}, "moves": []});
    let explored = explore(json!({"do": "explore", "game": start}));
    check(&explored["explored"]["moves"], "Explored[]");
    let mut list = |text: &str, end| explore(json!({"do": "list", "text": text, "end": end}))["listed"].take();
    let (half, rest) = text.split_at(text.len() - 5);
    check(&list(half, false), "Listed");
    let listed = list(rest, true);
    check(&listed, "Listed");
    assert_eq!(listed["faults"], json!(["line 5: illegal move 1 of Black, a1: square a1 is not empty"]));
    let line = json!({"do": "why", "game": threat, "line": "c1", "winner": "white", "score": "1"});
    let why = explore(line)["reasons"].take();
    check(&why, "Reason[]");
    assert_eq!(why[0]["text"], "c1 completes a road.");
    let (ptn, looks) = (&annotation["ptn"], &annotation["looks"]);
    let reasons = explore(json!({"do": "reasons", "ptn": ptn, "looks": looks, "reader": "white"}))["reasons"].take();
    check(&reasons, "Reason[][]");
    assert_eq!(reasons.as_array().unwrap().len(), moves.len());
    assert!(explored["says"].is_string() && !explored["explored"]["moves"].as_array().unwrap().is_empty());
}

#[test]
fn a_wrong_answer_is_found() {
    let protocol = Protocol::read();
    let line = json!({"tps": ["x5 1 1"], "is_over": false});
    assert_eq!(protocol.check(&line, "Line", "line"), Ok(()));
    for (name, value) in [("is_over", json!(1)), ("tps", json!([1])), ("tps", json!(null)), ("more", json!(1))] {
        let mut wrong = line.clone();
        wrong[name] = value;
        assert!(protocol.check(&wrong, "Line", "line").is_err(), "{wrong}");
    }
}
