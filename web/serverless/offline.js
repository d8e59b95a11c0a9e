// Lets the page start without a network: a service worker keeps the files of one version.

/** A new version waits until its user wants it: all tabs get it at once, and games survive that. @param {ServiceWorkerRegistration} registration */
function offerUpdate(registration) {
  const detail = () => registration.waiting?.postMessage('activate');
  dispatchEvent(new CustomEvent('tak-update', { detail }));
}

export async function keepOffline() {
  const { serviceWorker } = navigator;
  import('./launch.js').then(
    ({ launch }) => launch(),
    () => {},
  );
  // It is missing without https and in some private windows.
  if (!serviceWorker) {
    return;
  }
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isControlled) {
      location.reload();
    }
    isControlled = true;
  });
  try {
    const registration = await serviceWorker.register('service-worker.js', { updateViaCache: 'none' });
    if (registration.waiting) {
      offerUpdate(registration);
    }
    registration.addEventListener('updatefound', () => {
      const { installing } = registration;
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed' && serviceWorker.controller) {
          offerUpdate(registration);
        }
      });
    });
  } catch {
    // The browser refuses to keep files. The page works as long as its site can be reached.
  }
}
