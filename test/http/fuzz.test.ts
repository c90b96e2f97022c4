/** Whatever is asked, in whatever way, is answered as the OpenAPI document says, and never by a failure. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { appOf, comparedSample, getJson } from '../support/api.js';
import { createFuzzClient } from '../support/fuzz-client.js';
import type { Json } from '../support/json.js';
import { textOf } from '../support/request-heads.js';
import { type FuzzedRequest, isFailure, requestsOf } from '../support/requests.js';
import { start } from '../support/socket.js';

const REQUESTS = 3000;

/** Some runs of them have no other. */
const partOfDownload: FuzzedRequest = {
  method: 'GET',
  operation: null,
  bytes: textOf('GET', '/api/export/articles?format=ndjson', ['Range: bytes=0-3'], ''),
  isLast: false,
};

const bugs: unknown[] = [];
const app = appOf(await comparedSample(), { rateLimit: 1_000_000, onError: (error) => bugs.push(error) });
const server = await start(app);
const document = await getJson<Json>(app, '/api/openapi.json');
afterAll(() => server.close(100));

describe(`${REQUESTS} requests made from the document`, () => {
  const found = new Set<string>();
  const statuses = new Set<number>();

  test('are answered as it says', async () => {
    const client = createFuzzClient(server.url);
    await fc.assert(
      fc.asyncProperty(requestsOf(document), async (request) => {
        const { answer } = await client.ask(request);
        if (answer === null) throw new Error('there was no answer');
        if (isFailure(answer.status)) throw new Error(`${answer.status}: ${answer.body}`);
        statuses.add(answer.status);
        if (request.operation !== null && answer.status === 200) found.add(request.operation);
      }),
      { numRuns: REQUESTS, examples: [[partOfDownload]] },
    );
    client.close();
    expect(bugs).toEqual([]);
  });

  test('find something at every operation, and are refused in every way', () => {
    expect([...found].sort()).toEqual(Object.keys(document.paths as Json).sort());
    for (const status of [200, 206, 304, 400, 404, 405, 412, 417, 422, 431, 501]) expect(statuses).toContain(status);
  });
});
