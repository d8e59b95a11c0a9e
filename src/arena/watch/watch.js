// Replaces the parts of the page that have changed, every two seconds, and steps through a game with the arrow keys.

const INTERVAL = 2000;
/** Milliseconds after which a runner that does not answer counts as lost. */
const TIMEOUT_MS = 10_000;

/** An element without what is in it, and its own text. */
const shell = (node) =>
  node.cloneNode(false).outerHTML + [...node.childNodes].map(({ nodeType, data }) => (nodeType === 3 ? data : '')).join('\n');

/** Makes a part of the page like another one, and keeps what has not changed: places of scroll bars, and the focus. */
function renew(part, fresh) {
  if (part.isEqualNode(fresh)) {
    return;
  }
  const [old, next] = [part, fresh].map((node) => [...node.children]);
  const isAlike = old.length > 0 && old.length === next.length && part.nodeName !== 'svg' && shell(part) === shell(fresh);
  if (isAlike) {
    old.map((child, index) => renew(child, next[index]));
  } else {
    part.replaceWith(fresh);
  }
}

async function refresh() {
  const lost = document.getElementById('lost');
  try {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) {
      throw new Error(response.statusText);
    }
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = next.getElementById(part.id);
      if (fresh) {
        renew(part, fresh);
      }
    }
    document.title = next.title;
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
}

async function follow() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    if (!document.hidden) {
      await refresh();
    }
  }
}
if (document.querySelector('[data-live]')) {
  follow();
}

const KEYS = { ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last' };
addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (!ctrlKey && !metaKey && !altKey) {
    document.querySelector(`a[rel=${KEYS[key]}]`)?.click();
  }
});
