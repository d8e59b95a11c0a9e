// Replaces the parts of the page that have changed, every two seconds, and steps through a game with the arrow keys.

const INTERVAL = 2000;

async function refresh() {
  const lost = document.getElementById('lost');
  try {
    const response = await fetch(location.href);
    if (!response.ok) {
      throw new Error(response.statusText);
    }
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = next.getElementById(part.id);
      if (fresh && fresh.innerHTML !== part.innerHTML) {
        part.replaceWith(fresh);
      }
    }
    document.title = next.title;
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
}

if (document.querySelector('[data-live]')) {
  setInterval(() => document.hidden || refresh(), INTERVAL);
}

const KEYS = { ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last' };
addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (!ctrlKey && !metaKey && !altKey) {
    document.querySelector(`a[rel=${KEYS[key]}]`)?.click();
  }
});
