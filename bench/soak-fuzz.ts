/** Requests made from the OpenAPI document, to a server that is a process of its own: failures, the slowest, and memory. */
import fc from 'fast-check';
import { createChecker } from '../test/support/described.js';
import { createFuzzClient } from '../test/support/fuzz-client.js';
import type { Json } from '../test/support/json.js';
import { isFailure, requestsOf } from '../test/support/requests.js';
import { holdTo } from '../test/support/socket.js';
import type { Target } from './measure.js';
import { end, MAIN, memoryOf, startServer } from './processes.js';
import { MAX_GROWTH, milliseconds, percent, watchScheduling } from './soak-common.js';

const FUZZ_REQUESTS = 100_000;
const MAX_MS = 100;
/** Requests before memory is sampled: until then the process is warming up. */
const WARM_UP_REQUESTS = 20_000;
const REQUESTS_A_SAMPLE = 100;
/** The number of large pages that fill the cache, each requested twice. */
const LARGE_PAGES = 2000;

/** Fills the cache, so that memory cannot grow by cached responses afterwards. */
async function fillCache(url: string): Promise<void> {
  for (let i = 0; i < LARGE_PAGES * 2; i++) {
    const price = (i % LARGE_PAGES) / 1e6;
    await (await fetch(`${url}/api/products?limit=300&minPrice=${price}`)).arrayBuffer();
  }
}

export async function fuzz(): Promise<readonly Target[]> {
  const { child, url } = await startServer(MAIN, 'snapshots/sample', ['--previous', 'snapshots/sample/previous']);
  const document: Json = JSON.parse(await (await fetch(`${url}/api/openapi.json`)).text());
  holdTo(url, createChecker(document));
  await fillCache(url);
  const scheduling = watchScheduling(child.pid);
  const client = createFuzzClient(url);
  const memory: number[] = [];
  let slowest = { ms: 0, bytes: '' };
  let requestCount = 0;
  const checked = await fc.check(
    fc.asyncProperty(requestsOf(document), async (request) => {
      const { answer, ms } = await client.ask(request);
      if (answer === null) throw new Error('there was no answer');
      if (isFailure(answer.status)) throw new Error(`${answer.status}: ${answer.body}`);
      if (ms > slowest.ms) slowest = { ms, bytes: request.bytes };
      if (++requestCount > WARM_UP_REQUESTS && requestCount % REQUESTS_A_SAMPLE === 0)
        memory.push(memoryOf(child.pid).bytes);
    }),
    { numRuns: FUZZ_REQUESTS },
  );
  client.close();
  const waited = scheduling();
  await end(child);
  if (checked.failed) console.log(fc.defaultReportMessage(checked));
  console.log(`slowest of all: ${JSON.stringify(slowest.bytes.slice(0, 300))}`);
  const half = memory.length / 2;
  const growth = Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half)) - 1;
  return [
    {
      what: `${requestCount.toLocaleString('en')} requests made from the OpenAPI document: answers that it does not allow`,
      found: checked.failed ? '1 or more' : '0',
      wanted: '0',
      holds: !checked.failed,
    },
    {
      what: 'the slowest answer to them',
      found: `${milliseconds(slowest.ms)}; ${waited}`,
      wanted: `< ${MAX_MS} ms`,
      holds: slowest.ms < MAX_MS,
    },
    {
      what: 'their memory: the peak of the later half above that of the earlier one',
      found: percent(growth),
      wanted: `< ${percent(MAX_GROWTH)}`,
      holds: growth < MAX_GROWTH,
    },
  ];
}
