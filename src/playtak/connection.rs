//! The connection to the server: a WebSocket with or without TLS, on a thread that reconnects when it is lost.
//!
//! One thread reads and writes, since a TLS connection cannot be split. It reads for some milliseconds at a time and
//! writes in between.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::{HeaderValue, Uri};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use super::protocol::Command;

/// The timeout of a read, which is the maximum delay of a write.
const READ_TIMEOUT: Duration = Duration::from_millis(5);
/// The timeout for connecting, each step of a handshake and each write.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The pause before the first reconnect. It doubles with each further attempt.
const MIN_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// After a connection of this duration the next pause is the shortest again.
const STABLE: Duration = Duration::from_secs(60);
/// The maximum size of a message in bytes. The longest of the server is the list of players.
const MAX_MESSAGE: usize = 1 << 20;

/// The address of a server: `wss://host[:port][/path]`, or `ws://` without encryption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    uri: Uri,
    host: String,
    port: u16,
    is_encrypted: bool,
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected wss://HOST[:PORT][/PATH], or ws:// without encryption";
        let uri: Uri = text.parse().map_err(|_| EXPECTED)?;
        let (is_encrypted, usual_port) = match uri.scheme_str() {
            Some("wss") => (true, 443),
            Some("ws") => (false, 80),
            _ => return Err(EXPECTED),
        };
        let authority = uri.authority().ok_or(EXPECTED)?;
        // A name and password in an address would appear in output.
        let is_open = !authority.as_str().contains('@') && !authority.host().is_empty();
        // An invalid port must not select the default one.
        let is_whole = authority.port().is_some() || authority.as_str() == authority.host();
        if !is_open || !is_whole {
            return Err(EXPECTED);
        }
        Ok(Self {
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: authority.port_u16().unwrap_or(usual_port),
            is_encrypted,
            uri,
        })
    }
}

impl Address {
    /// Returns whether the connection is encrypted or stays on this machine. A name other than `localhost` may lead
    /// anywhere.
    pub fn is_private(&self) -> bool {
        let is_loopback = |host: IpAddr| host.to_canonical().is_loopback();
        self.is_encrypted || self.host.eq_ignore_ascii_case("localhost") || self.host.parse().is_ok_and(is_loopback)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.uri)
    }
}

#[derive(Debug)]
pub enum News {
    Connected {
        /// Takes lines for the server. When it is dropped, the connection ends after all lines have been sent.
        lines: Sender<Command>,
        /// True if the connection is encrypted or stays on this machine.
        is_private: bool,
    },
    Line(String),
    /// There is no connection, for this reason.
    Lost(String),
}

/// Connects to `address`, and reconnects whenever the connection is lost, until `report` returns `false`.
pub fn keep_connected(address: Address, report: impl Fn(News) -> bool + Send + 'static) {
    thread::spawn(move || {
        let tls = tls_config(usual_roots());
        let mut pause = MIN_PAUSE;
        loop {
            let begun = Instant::now();
            let why = match connect(&address, &tls) {
                Ok((socket, is_private)) => serve(socket, is_private, &report),
                Err(error) => error.to_string(),
            };
            if !report(News::Lost(why)) {
                return;
            }
            if begun.elapsed() >= STABLE {
                pause = MIN_PAUSE;
            }
            thread::sleep(pause);
            pause = (2 * pause).min(MAX_PAUSE);
        }
    });
}

/// The certificate authorities of browsers.
fn usual_roots() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

fn tls_config(roots: RootCertStore) -> Arc<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has the usual ciphers")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Arc::new(config)
}

/// Connects. Also returns whether the connection is private.
fn connect(address: &Address, tls: &Arc<ClientConfig>) -> io::Result<(Socket, bool)> {
    let stream = reach(address)?;
    let is_loopback = stream.peer_addr()?.ip().to_canonical().is_loopback();
    let control = stream.try_clone()?;
    let transport: Box<dyn Transport> = if address.is_encrypted {
        let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
        let connection = ClientConnection::new(Arc::clone(tls), name).map_err(io::Error::other)?;
        Box::new(StreamOwned::new(connection, stream))
    } else {
        Box::new(stream)
    };
    let mut request = (&address.uri).into_client_request().map_err(io::Error::other)?;
    let headers = request.headers_mut();
    headers.insert("Sec-WebSocket-Protocol", HeaderValue::from_static("binary"));
    let config = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    let (socket, _) =
        tungstenite::client::client_with_config(request, transport, Some(config)).map_err(|error| match error {
            HandshakeError::Interrupted(_) => ErrorKind::TimedOut.into(),
            HandshakeError::Failure(error) => io::Error::other(error),
        })?;
    control.set_read_timeout(Some(READ_TIMEOUT))?;
    Ok((socket, address.is_encrypted || is_loopback))
}

type Socket = WebSocket<Box<dyn Transport>>;

/// Tries all addresses of the host.
fn reach(address: &Address) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for candidate in (address.host.as_str(), address.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&candidate, TIMEOUT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(TIMEOUT))?;
                stream.set_write_timeout(Some(TIMEOUT))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Forwards lines in both directions until the connection ends. Returns the reason.
fn serve(mut socket: Socket, is_private: bool, report: &impl Fn(News) -> bool) -> String {
    let (lines, commands) = channel();
    if !report(News::Connected { lines, is_private }) {
        return String::new();
    }
    match exchange(&mut socket, &commands, report) {
        Ok(why) => why.to_owned(),
        Err(error) => error.to_string(),
    }
}

fn exchange(
    socket: &mut Socket,
    commands: &Receiver<Command>,
    report: &impl Fn(News) -> bool,
) -> Result<&'static str, tungstenite::Error> {
    loop {
        loop {
            match commands.try_recv() {
                Ok(command) => send(socket, &command)?,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    socket.close(None)?;
                    socket.flush()?;
                    return Ok("closed");
                }
            }
        }
        let text = match socket.read() {
            Ok(Message::Text(text)) => text.as_str().to_owned(),
            Ok(Message::Binary(bytes)) => bytes.iter().copied().map(char::from).collect(),
            // Answers to pings and closing are sent with the next flush.
            Ok(_) => {
                socket.flush()?;
                continue;
            }
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
            {
                continue;
            }
            Err(error) => return Err(error),
        };
        for line in text.lines() {
            log::debug!("server: {line:?}");
            if !report(News::Line(line.to_owned())) {
                return Ok("the bot has ended");
            }
        }
    }
}

/// Sends a line, in ISO-8859-1.
fn send(socket: &mut Socket, command: &Command) -> Result<(), tungstenite::Error> {
    log::debug!("to the server: {command:?}");
    let line = command.line();
    let bytes: Vec<u8> = line.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    socket.send(Message::Binary(bytes.into()))
}

/// TCP with or without TLS.
trait Transport: Read + Write + Send {}

impl<T: Read + Write + Send> Transport for T {}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use rustls::{ServerConfig, ServerConnection};

    use super::*;

    /// A self-signed certificate for `localhost`, valid from 2020 to 9999, and its key, both made with openssl.
    const LOCALHOST: &[u8] = include_bytes!("localhost.pem");

    /// A server that sends one line over TLS, and forwards the first that it receives.
    fn encrypted_server(certificate: CertificateDer<'static>) -> (u16, Receiver<Vec<u8>>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let key = PrivateKeyDer::from_pem_slice(LOCALHOST).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let config = Arc::new(config);
        let (heard, lines) = channel();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                let stream = StreamOwned::new(connection, stream);
                #[allow(clippy::result_large_err)]
                let answer = |_: &tungstenite::handshake::server::Request,
                              mut response: tungstenite::handshake::server::Response| {
                    let protocol = HeaderValue::from_static("binary");
                    let headers = response.headers_mut();
                    headers.insert("Sec-WebSocket-Protocol", protocol);
                    Ok(response)
                };
                if let Ok(mut socket) = tungstenite::accept_hdr(stream, answer) {
                    let line = Message::Binary(b"caf\xe9\n".to_vec().into());
                    socket.send(line).unwrap();
                    let _ = heard.send(socket.read().unwrap().into_data().to_vec());
                }
            }
        });
        (port, lines)
    }

    #[test]
    fn only_trusted_servers_are_reached() {
        let certificate = CertificateDer::from_pem_slice(LOCALHOST).unwrap();
        let (port, heard) = encrypted_server(certificate.clone());
        let address: Address = format!("wss://localhost:{port}/ws").parse().unwrap();
        // A server without a trusted certificate.
        let error = connect(&address, &tls_config(usual_roots())).map(drop).unwrap_err();
        assert!(error.to_string().contains("certificate"), "{error}");

        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        let (socket, is_private) = connect(&address, &tls_config(roots)).unwrap();
        assert!(is_private);
        let (news, inputs) = channel();
        let server = thread::spawn(move || serve(socket, is_private, &|one| news.send(one).is_ok()));
        let Ok(News::Connected { lines, .. }) = inputs.recv() else {
            panic!("no connection");
        };
        let Ok(News::Line(line)) = inputs.recv() else {
            panic!("no line");
        };
        assert_eq!(line, "caf\u{e9}");
        lines.send(Command::Ping).unwrap();
        assert_eq!(heard.recv().unwrap(), b"PING");
        drop(lines);
        server.join().unwrap();
    }

    #[test]
    fn only_encrypted_and_loopback_addresses_are_private() {
        for (text, host, port, is_private) in [
            ("wss://playtak.com/ws", "playtak.com", 443, true),
            ("ws://LOCALHOST", "LOCALHOST", 80, true),
            ("ws://127.0.0.2:9999", "127.0.0.2", 9999, true),
            ("ws://[::1]:1", "::1", 1, true),
            ("ws://playtak.com", "playtak.com", 80, false),
            ("ws://192.0.2.1:9999", "192.0.2.1", 9999, false),
            ("ws://localhost.example", "localhost.example", 80, false),
            ("ws://[2001:db8::1]", "2001:db8::1", 80, false),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!((&*address.host, address.port, address.is_private()), (host, port, is_private), "{text}");
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for bad in [
            "",
            "playtak.com",
            "http://playtak.com",
            "wss://",
            "wss://a:b@playtak.com",
            "wss:///ws",
            "ws://127.0.0.1:99999",
            "ws://127.0.0.1:",
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad:?}");
        }
    }
}
