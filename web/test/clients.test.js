// The adapter in docs/clients.md has the form that PTN Ninja's lint wants, or its build fails. Biome formats it as Prettier
// does with PTN Ninja's settings.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
const STYLE = {
  formatter: { indentStyle: 'space', lineWidth: 80 },
  javascript: { formatter: { trailingCommas: 'es5' } },
};

test('the adapter for PTN Ninja is formatted as its lint wants', { skip: !existsSync(biome) && 'no Biome' }, () => {
  const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
  const [, code] = /^```js\n(import TeiBot [^]*?)^```/m.exec(page);
  const folder = mkdtempSync(join(tmpdir(), 'tak-engine-'));
  try {
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(STYLE));
    const given = ['format', `--config-path=${folder}`, `--stdin-file-path=${join(folder, 'adapter.js')}`];
    assert.equal(execFileSync(biome, given, { input: code, encoding: 'utf8' }), code);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
