# Reads a formula as Homebrew would on each system: ruby formula.rb FORMULA VERSION SUMS
# Each must name a file of the release, by its sum and its version.

class Formula
  class << self
    attr_accessor :system, :files

    %i[desc homepage version license].each { |name| define_method(name) { |_| } }

    def test; end

    { on_macos: :macos, on_linux: :linux, on_arm: :arm, on_intel: :intel }.each do |name, part|
      define_method(name) { |&block| block.call if Formula.system.include?(part) }
    end

    def url(address) = Formula.files << [File.basename(address)]

    def sha256(sum) = Formula.files.last << sum
  end
end

formula, version, sums = ARGV
known = File.readlines(sums, chomp: true).to_h { |line| line.split(/ [ *]/, 2).reverse }
%i[macos linux].product(%i[arm intel]).each do |system|
  Formula.system = system
  Formula.files = []
  load formula
  Formula.files.length == 1 or abort "#{system.join(" ")}: #{Formula.files.length} files"
  file, sum = Formula.files.first
  file.include?(version) && known[file] == sum or abort "#{system.join(" ")}: #{file} has another sum or version"
end
