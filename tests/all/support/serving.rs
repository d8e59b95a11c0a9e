//! Starts `tak-engine serve` and talks to it, as programs and browsers do.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Response;
use tungstenite::protocol::Role;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

use crate::common::{BINARY, GUARD, read_all, status};

/// A server that runs.
pub struct Serving {
    pub child: Child,
    pub port: u16,
    /// The address that was printed.
    pub url: String,
    stderr: Option<thread::JoinHandle<String>>,
}

impl Serving {
    pub fn start(args: &[&str]) -> Self {
        Self::start_with(args, |command| command)
    }

    pub fn start_with(args: &[&str], change: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut all = vec!["serve", "--port", "0"];
        for (option, value) in [("--threads", "1"), ("--hash", "4")] {
            if !args.contains(&option) {
                all.extend([option, value]);
            }
        }
        let mut command = Command::new(BINARY);
        command
            .args(all)
            .args(args)
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = change(&mut command).spawn().unwrap();
        let stderr = read_all(child.stderr.take().unwrap());
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("The board is at ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        let port = url.split(':').nth(2).and_then(|rest| rest.split('/').next());
        Self {
            port: port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{url}")),
            child,
            url,
            stderr: Some(stderr),
        }
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    pub fn tcp(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(GUARD)).unwrap();
        stream.set_write_timeout(Some(GUARD)).unwrap();
        stream
    }

    /// The answer to a request with these headers: status and whole text.
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let mut stream = self.tcp();
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            request.extend([name, ": ", value, "\r\n"]);
        }
        stream.write_all((request + "\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("{answer:?}")), answer)
    }

    pub fn host(&self) -> String {
        format!("localhost:{}", self.port)
    }

    pub fn socket(&self, path: &str) -> Socket {
        self.try_socket(path, None).unwrap_or_else(|status| panic!("{path}: {status}"))
    }

    /// A WebSocket with a session, as soon as one is free.
    pub fn socket_when_free(&self, path: &str) -> Socket {
        let begun = Instant::now();
        loop {
            let mut socket = self.socket(path);
            socket.send("isready");
            if socket.text() == "readyok" {
                return socket;
            }
            assert!(begun.elapsed() < GUARD, "no place is free");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// A WebSocket; `None` if the server has closed the connection because there are too many.
    pub fn try_connect(&self, path: &str) -> Option<Socket> {
        let stream = TcpStream::connect(self.address()).ok()?;
        stream.set_read_timeout(Some(GUARD)).ok()?;
        let request = format!("ws://{}{path}", self.host());
        let (socket, _) = tungstenite::client(request, stream).ok()?;
        Some(Socket { socket, id: 0 })
    }

    /// A WebSocket, or the status of the refusal.
    pub fn try_socket(&self, path: &str, origin: Option<&str>) -> Result<Socket, u16> {
        let mut request = format!("ws://{}{path}", self.host()).into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let answer: Result<(_, Response), _> = tungstenite::client(request, self.tcp());
        match answer {
            Ok((socket, _)) => Ok(Socket { socket, id: 0 }),
            Err(HandshakeError::Failure(Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Threads of the server, with their names.
    pub fn threads(&self) -> Vec<String> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let name = |task: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(task.ok()?.path().join("comm")).ok().map(|name| name.trim().to_owned())
        };
        tasks.filter_map(name).collect()
    }

    /// Sessions that run.
    pub fn sessions(&self) -> usize {
        let threads = self.threads();
        threads.iter().filter(|name| *name == "session").count()
    }

    /// Memory in use, in MiB.
    pub fn resident_mib(&self) -> usize {
        status(&self.child, "VmRSS:") / 1024
    }

    /// Sends a signal and waits for the end: the exit code and stderr.
    pub fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = crate::common::wait_for(&mut self.child);
        (status.code(), self.stderr.take().unwrap().join().unwrap())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connected program or page.
pub struct Socket {
    pub socket: WebSocket<TcpStream>,
    id: u64,
}

impl Socket {
    /// The same connection, to read on another thread than is written on.
    pub fn clone_of(other: &Self) -> Self {
        let stream = other.socket.get_ref().try_clone().unwrap();
        Self { socket: WebSocket::from_raw_socket(stream, Role::Client, None), id: other.id }
    }

    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next text.
    pub fn text(&mut self) -> String {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return text.to_string(),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                // A machine that was paused.
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                other => panic!("no text but {other:?}"),
            }
        }
    }

    /// All texts up to the first with a line that begins like this.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut texts = vec![self.text()];
        let ends = |text: &String| text.lines().any(|line| line.starts_with(start));
        while !ends(&texts[texts.len() - 1]) {
            texts.push(self.text());
        }
        texts
    }

    /// Reads to the end, and returns the server's reason for closing the connection; `None` without one.
    pub fn closed(&mut self) -> Option<(CloseCode, String)> {
        loop {
            match self.socket.read() {
                Ok(Message::Close(frame)) => {
                    return frame.map(|frame| (frame.code, frame.reason.to_string()));
                }
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// Asks a question of the page, and returns the answer without its number.
    pub fn ask(&mut self, mut question: Value) -> Value {
        self.id += 1;
        question["id"] = json!(self.id);
        self.send(&question.to_string());
        self.answer()
    }

    /// The next answer to the last question.
    pub fn answer(&mut self) -> Value {
        loop {
            let mut answer: Value = serde_json::from_str(&self.text()).unwrap();
            if answer["id"] == json!(self.id) {
                answer.as_object_mut().unwrap().remove("id");
                return answer;
            }
        }
    }
}
