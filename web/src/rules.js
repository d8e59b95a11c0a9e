// The page with the rules has the board and the colours that are chosen in the settings.

try {
  const { board = 'wood', colours = 'system' } = JSON.parse(localStorage.getItem('tak-engine') ?? '').settings;
  Object.assign(document.documentElement.dataset, { board, colours });
} catch {
  // Nothing is stored, or it cannot be read.
}
