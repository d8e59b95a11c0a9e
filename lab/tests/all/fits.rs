//! Weights fitted to a few games.

use tak_engine::board::Size;
use tak_engine::engine::WeightSet;
use tak_engine::weights::Model;

use crate::support::folder::{Folder, ended};

/// A few games on a small board, all models fitted to them, and the fits in use.
#[test]
fn weights_go_round_from_games_to_files_to_play() {
    let folder = Folder::new("tune");
    let run = |words: &str, code| ended(&mut folder.command(words), code);
    run("datagen --size 4 --games 20 --nodes 20 --out games.bin", 0);
    for (model, about) in
        [(Model::Evaluation, "held-out loss"), (Model::Layer, "held-out loss"), (Model::Ordering, "held-out surprise")]
    {
        let (fit, again) = (format!("{model}.txt"), format!("{model}-again.txt"));
        let tune = |words: &str| run(&format!("tune --model {model} --size 4 --force --games games.bin {words}"), 0).0;
        let refused = |words: &str| run(&format!("tune --model {model} --size 4 --games games.bin {words}"), 2).1;
        let printed_text = tune(&format!("--epochs 3 --out {fit}"));
        assert!(printed_text.contains(about) && printed_text.contains(&format!("wrote {fit}")), "{printed_text}");
        let text = folder.text(&fit);
        assert!(text.starts_with(&format!("tak-engine weights | {model} | 4x4\n")), "{text}");
        assert!(!WeightSet::default().text(Size::ALL[1]).contains(&text), "a fit moves weights");
        if model == Model::Layer {
            // A layer begins at the same random numbers.
            tune(&format!("--epochs 3 --out {again}"));
            assert_eq!(folder.text(&again), text);
            assert!(
                refused("--prior 5 --refine").contains("--refine and --prior: a layer begins with that of one size")
            );
            // It belongs to the sum that it begins with, so both are written.
            tune(&format!("--epochs 0 --prior 5 --out {again}"));
            let both = folder.text(&again);
            let heads: Vec<&str> = both.lines().filter(|line| line.starts_with("tak-engine weights")).collect();
            assert_eq!(heads, ["tak-engine weights | evaluation | 4x4", "tak-engine weights | layer | 4x4"]);
            assert!(!both.contains(&folder.text("evaluation.txt")) && !both.contains(&text));
            // Unless it is refined: no epochs leave it as it is.
            tune(&format!("--epochs 0 --refine --weights {fit} --out {again}"));
            assert_eq!(folder.text(&again), text);
            tune(&format!("--epochs 1 --refine --weights {fit} --out {again}"));
            assert_ne!(folder.text(&again), text);
        } else {
            assert!(refused("--refine").contains("--refine is for --model layer only"));
            // No epochs leave the weights as they are, so this starts from the file.
            tune(&format!("--epochs 0 --weights {fit} --out {again}"));
            assert_eq!(folder.text(&again), text);
        }
    }
    // A fit plays other games.
    let fits = "--weights evaluation.txt --weights layer.txt --weights ordering.txt";
    run(&format!("datagen --size 4 --games 20 --nodes 20 --out other.bin {fits}"), 0);
    // The heads differ anyhow, since a file names the weights of its games.
    let last_games = |name: &str| {
        let bytes = std::fs::read(folder.0.join(name)).unwrap();
        bytes[bytes.len() - 100..].to_vec()
    };
    assert_ne!(last_games("games.bin"), last_games("other.bin"));
    let (_, printed_text) = run("datagen --size 4 --games 21 --nodes 20 --out games.bin --weights evaluation.txt", 1);
    assert!(printed_text.contains("weights"), "{printed_text}");
}
