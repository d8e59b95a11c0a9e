//! A host of static files, as simple as they come.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

use crate::common::GUARD;

/// The folder of the page on the host: it has to work at any path.
const PATH: &str = "/games/tak/";

/// Serves a folder until it is dropped.
pub struct Host {
    /// The address of the page.
    pub url: String,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    pub fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}{PATH}", listener.local_addr().unwrap());
        let is_over = Arc::new(AtomicBool::new(false));
        let (folder, over) = (folder.to_owned(), Arc::clone(&is_over));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Relaxed) {
                    return;
                }
                let folder = folder.clone();
                // Browsers leave, and open connections in advance.
                thread::spawn(move || stream.and_then(|stream| answer(&stream, &folder)));
            }
        });
        Self { url, is_over, thread: Some(thread) }
    }

    /// The address without a path.
    pub fn origin(&self) -> &str {
        self.url.trim_end_matches(PATH)
    }
}

/// After that the page has no network.
impl Drop for Host {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        // Wakes the thread.
        let _ = TcpStream::connect(self.origin().trim_start_matches("http://"));
        let _ = self.thread.take().unwrap().join();
    }
}

/// Answers one request.
fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(GUARD))?;
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or(Ok(String::new()))?;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(['?', ' ']).nth(1).and_then(|path| path.strip_prefix(PATH));
    let content = path.and_then(|name| {
        let name = if name.is_empty() { "index.html" } else { name };
        Some((kind(name)?, fs::read(folder.join(name)).ok()?))
    });
    let (status, (kind, content)) = match content {
        Some(content) => ("200 OK", content),
        None => ("404 Not Found", ("text/plain", Vec::new())),
    };
    let length = content.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&content)
}

/// The media type of a file.
fn kind(name: &str) -> Option<&'static str> {
    Some(match PathBuf::from(name).extension()?.to_str()? {
        "html" => "text/html",
        "css" => "text/css",
        "js" => "text/javascript",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    })
}
