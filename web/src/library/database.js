// Databases of the browser: how one is opened, asked and changed, and why it stores nothing.

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Resolves when everything of a transaction is stored. @param {IDBTransaction} transaction @returns {Promise<void>} */
export const stored = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });

/**
 * @param {string} name
 * @param {number} version
 * @param {(database: IDBDatabase, oldVersion: number) => void} upgrade makes what later versions have
 * @returns {Promise<IDBDatabase>}
 */
export function openDatabase(name, version, upgrade) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = ({ oldVersion }) => upgrade(request.result, oldVersion);
    request.onsuccess = () => {
      const database = request.result;
      // A later version of the page in another tab changes it.
      database.onversionchange = () => database.close();
      resolve(database);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked'));
  });
}

/**
 * Why a browser stores nothing, in a sentence.
 * @param {unknown} error
 * @param {{full: string, later: string, unstored: string}} words
 */
export function reasonOf(error, words) {
  const name = error instanceof DOMException ? error.name : '';
  return name === 'QuotaExceededError' ? words.full : name === 'VersionError' ? words.later : words.unstored;
}
