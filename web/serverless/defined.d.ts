// What `web/build.js` defines.

/** The size of the engine's module. */
declare const WASM_BYTES: number;
/** The addresses of all files with their hashes. */
declare const FILES: Record<string, string>;
/** The version of these files. */
declare const VERSION: string;
