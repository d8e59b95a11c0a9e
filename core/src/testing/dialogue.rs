//! A front end of a TEI engine, which may be a process or not.

/// An engine that answers lines.
pub trait Dialogue {
    /// Sends a line.
    fn send(&mut self, line: &str);

    /// All lines up to and including the first that begins with `start`.
    fn until(&mut self, start: &str) -> Vec<String>;

    /// Sends a line and `isready`; the replies before `readyok`.
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a `go` line; the lines before `bestmove`, and the move.
    fn go(&mut self, line: &str) -> (Vec<String>, String) {
        self.send(line);
        let mut lines = self.until("bestmove ");
        let best = lines.pop().expect("until returns a line");
        let best = best["bestmove ".len()..].to_owned();
        assert!(!best.contains(' '), "more than a move: {best}");
        (lines, best)
    }

    /// The answer to `show`.
    fn show(&mut self) -> String {
        self.send("show");
        self.until("info string tps ").pop().expect("until returns a line")
    }
}

/// The number after a word of an `info` line.
pub fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|&found| found != word).skip(1);
    words.next().and_then(|number| number.parse().ok()).expect(line)
}
