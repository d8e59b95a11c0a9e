//! A server on loopback that speaks playtak's protocol according to the public server's sources, with the rules of
//! another program (fast-tak), and with faults on demand. A test can also play on it directly, as a player without a
//! connection.

mod connection;
mod referee;
mod terms;
mod world;

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use crate::wait_for;
use connection::serve;
use world::World;

/// The password of all registered players.
pub const PASSWORD: &str = "open-sesame-42";

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    world: Arc<Mutex<World>>,
    is_ended: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    /// One that knows protocol 4.
    pub fn start() -> Self {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// Waits for the address to become free.
    pub fn start_at(address: SocketAddr) -> Self {
        let listener = wait_for("the address", || TcpListener::bind(address).ok());
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let world = Arc::new(Mutex::new(World::default()));
        let is_ended = Arc::new(AtomicBool::new(false));
        let (shared, ended) = (Arc::clone(&world), Arc::clone(&is_ended));
        let thread = thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        let shared = Arc::clone(&shared);
                        let ended = Arc::clone(&ended);
                        thread::spawn(move || serve(stream, &shared, &ended));
                    }
                    Err(_) => thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        Self { address, world, is_ended, thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        format!("ws://{}/ws", self.address)
    }

    /// From now on all clocks show this after a move.
    pub fn hurry(&self, millis: u64) {
        self.world().hasty = Some(millis);
    }

    /// Disconnects a player once a game of theirs has this number of moves.
    pub fn cut_at(&self, name: &str, moves: usize) {
        self.world().cuts.push((name.to_owned(), moves));
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    /// Executes a line of a player without a connection.
    pub fn act(&self, name: &str, line: &str) {
        let mut world = self.world();
        world.players.entry(name.to_owned()).or_default();
        world.hear(name, line);
    }

    /// Sends a line that the server would not send by itself.
    pub fn say(&self, name: &str, line: &str) {
        self.world().send(name, line);
    }

    /// Waits until a condition on the server's state holds.
    pub fn wait_for<T>(&self, what: &str, mut look: impl FnMut(&mut World) -> Option<T>) -> T {
        wait_for(what, || look(&mut self.world()))
    }

    /// Waits for a seek of a player, and accepts it as another.
    pub fn accept(&self, owner: &str, name: &str) {
        let seek = self.wait_for("a seek", |world| {
            let mut seeks = world.seeks.iter();
            seeks.find(|(_, seek)| seek.0 == owner).map(|seek| *seek.0)
        });
        self.act(name, &format!("Accept {seek}"));
    }

    pub fn has_seek(&self, owner: &str) -> bool {
        self.world().seeks.values().any(|seek| seek.0 == owner)
    }

    /// All that a player has said since the login.
    pub fn said(&self, name: &str) -> Vec<String> {
        let world = self.world();
        world.players.get(name).map_or(Vec::new(), |player| player.said.clone())
    }

    /// Refused lines with their senders.
    pub fn refused(&self) -> Vec<(String, String)> {
        self.world().refused.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
