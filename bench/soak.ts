/**
 * What a server has to stand that people leave running, with times. Everything is bounded and on the loopback.
 *   npm run soak                             all of it, some twenty minutes, and writes its table into test/README.md
 *   npm run soak -- load --minutes 1         some parts, the load for a number of minutes
 * Exit code 1 where something does not hold.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { heading, type Target } from './measure.js';
import { connections } from './soak-connections.js';
import { fuzz } from './soak-fuzz.js';
import { limits } from './soak-limits.js';
import { mixedLoad } from './soak-load.js';
import { memory } from './soak-memory.js';
import { type Shown, tests } from './soak-tests.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' } },
});

/** A part measures targets; some come with the command that measures them again. */
type SoakPart = () => readonly Shown[] | Promise<readonly Target[]>;
const parts: Readonly<Record<string, SoakPart>> = {
  tests,
  fuzz,
  connections,
  load: () => mixedLoad(Number(values.minutes)),
  limits,
  memory,
};

/** A part that breaks is a row as well, so that what the others have found is not lost. */
async function foundBy(name: string, part: SoakPart): Promise<readonly (Target | Shown)[]> {
  try {
    return await part();
  } catch (error) {
    console.error(error);
    const [found = ''] = String(error).split('\n');
    return [{ what: `the part "${name}" comes to its end`, found, wanted: 'figures', holds: false }];
  }
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const names = positionals.length > 0 ? positionals : Object.keys(parts);
const rows: string[] = [];
for (const name of names) {
  const part = parts[name];
  if (part === undefined) throw new Error(`${name} is no part: ${Object.keys(parts).join(', ')}`);
  for (const target of await foundBy(name, part)) {
    const { what, found, wanted, holds } = target;
    const command = 'command' in target ? target.command : `npm run soak -- ${name}`;
    rows.push(row(what, found, holds ? wanted : `${wanted}: **not held**`, `\`${command}\``));
    if (!holds) process.exitCode = 1;
  }
}
const table = `${heading()}\n\n${row('what', 'found', 'wanted', 'command')}\n|---|---|---|---|\n${rows.join('\n')}\n`;
console.log(table);
if (positionals.length === 0) {
  const path = 'test/README.md';
  const document = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    document.replace(/(?<=<!-- npm run soak -->\n)[\s\S]*?(?=<!-- \/ -->)/, () => table),
  );
}
