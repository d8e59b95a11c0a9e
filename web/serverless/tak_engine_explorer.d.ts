// The part of the explorer's glue that is used. `bindings/wasm/build.sh` generates it.

/** Loads the module. */
export default function init(options: { module_or_path: string }): Promise<unknown>;

export class Explorer {
  /** The answer to a question, both as JSON; `undefined` if it is none. */
  answer(question: string): string | undefined;
}
