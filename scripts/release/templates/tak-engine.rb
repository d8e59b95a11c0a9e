class TakEngine < Formula
  desc "Engine for the board game Tak: play, analysis, TEI and tournaments"
  homepage "@ADDRESS@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@DOWNLOADS@/tak-engine-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SUM tak-engine-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@DOWNLOADS@/tak-engine-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SUM tak-engine-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@DOWNLOADS@/tak-engine-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SUM tak-engine-@VERSION@-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@DOWNLOADS@/tak-engine-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SUM tak-engine-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "tak-engine"
    man1.install Dir["man/*.1"]
    bash_completion.install "complete/tak-engine.bash" => "tak-engine"
    fish_completion.install "complete/tak-engine.fish"
    zsh_completion.install "complete/_tak-engine"
    prefix.install "LICENSES-OF-CRATES"
  end

  test do
    assert_match "tak-engine #{version}", shell_output("#{bin}/tak-engine --version")
    assert_match "teiok", pipe_output("#{bin}/tak-engine tei", "tei\nquit\n")
  end
end
