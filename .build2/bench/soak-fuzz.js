/** Requests made from the OpenAPI document, to a server that is a process of its own: failures, the slowest, and memory. */
import fc from 'fast-check';
import { createChecker } from '../test/support/described.js';
import { createFuzzClient } from '../test/support/fuzz-client.js';
import { isFailure, requestsOf } from '../test/support/requests.js';
import { holdTo } from '../test/support/socket.js';
import { end, memoryOf, startServer } from './processes.js';
import { growthOf, MAIN, MAX_GROWTH, percent } from './soak-common.js';
const REQUESTS = 250_000;
const MAX_MS = 100;
const REQUESTS_A_SAMPLE = 500;
export async function fuzz() {
    const { child, url } = await startServer(MAIN, 'snapshots', ['--previous', 'snapshots/previous']);
    const document = JSON.parse(await (await fetch(`${url}/api/openapi.json`)).text());
    holdTo(url, createChecker(document));
    const client = createFuzzClient(url);
    const memory = [];
    let slowest = { ms: 0, bytes: '' };
    let asked = 0;
    const checked = await fc.check(fc.asyncProperty(requestsOf(document), async (request) => {
        const { answer, ms } = await client.ask(request);
        if (answer === null)
            throw new Error('there was no answer');
        if (isFailure(answer.status))
            throw new Error(`${answer.status}: ${answer.body}`);
        if (ms > slowest.ms)
            slowest = { ms, bytes: request.bytes };
        if (++asked % REQUESTS_A_SAMPLE === 0)
            memory.push(memoryOf(child.pid, 'VmRSS'));
    }), { numRuns: REQUESTS });
    client.close();
    await end(child);
    if (checked.failed)
        console.log(fc.defaultReportMessage(checked));
    console.log(`slowest of all: ${JSON.stringify(slowest.bytes.slice(0, 300))}`);
    const growth = growthOf(memory); console.log(memory.map((m) => Math.round(m / 1e6)).join(" "));
    return [
        {
            what: `${asked.toLocaleString('en')} requests made from the OpenAPI document: answers that it does not allow`,
            found: checked.failed ? '1 or more' : '0',
            wanted: '0',
            holds: !checked.failed,
        },
        {
            what: 'the slowest answer to them',
            found: `${slowest.ms.toFixed(0)} ms`,
            wanted: `< ${MAX_MS} ms`,
            holds: slowest.ms < MAX_MS,
        },
        {
            what: 'growth of memory while they are answered',
            found: percent(growth),
            wanted: `< ${percent(MAX_GROWTH)}`,
            holds: growth < MAX_GROWTH,
        },
    ];
}
