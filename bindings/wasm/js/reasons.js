// The job that gives reasons. Their module is loaded when it is first needed.

/** @param port as that of `jobs` */
export function reasons(port) {
  let explorer = null;

  async function load(address) {
    const { Explorer, initSync } = await import('./tak_engine_explorer.js');
    initSync({ module: await port.read(address) });
    return new Explorer();
  }

  return {
    // One question. False without a question.
    async explain({ text }, files) {
      explorer ??= load(files.explorer);
      const answer = (await explorer).answer(text);
      if (answer !== undefined) {
        port.post({ say: answer });
      }
      return answer !== undefined;
    },
  };
}
