/**
 * What a server has to stand that people leave running, with times. Everything is bounded and on the loopback.
 *   npm run soak                             all of it, some twenty minutes; its table is the README's
 *   npm run soak -- load --minutes 1         some parts, the load for so many minutes
 * Exit code 1 where something does not hold.
 */
import { parseArgs } from 'node:util';
import { heading } from './measure.js';
import { connections } from './soak-connections.js';
import { fuzz } from './soak-fuzz.js';
import { mixedLoad } from './soak-load.js';
const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '10' } },
});
const parts = {
    fuzz,
    connections,
    load: () => mixedLoad(Number(values.minutes)),
};
const row = (...cells) => `| ${cells.join(' | ')} |`;
const names = positionals.length > 0 ? positionals : Object.keys(parts);
const rows = [];
for (const name of names) {
    const part = parts[name];
    if (part === undefined)
        throw new Error(`${name} is no part: ${Object.keys(parts).join(', ')}`);
    for (const { what, found, wanted, holds } of await part()) {
        rows.push(row(`\`npm run soak -- ${name}\``, what, found, holds ? wanted : `**not held:** ${wanted}`));
        if (!holds)
            process.exitCode = 1;
    }
}
console.log(`${heading()}\n\n${row('command', 'what', 'found', 'bar')}\n|---|---|---|---|\n${rows.join('\n')}`);
