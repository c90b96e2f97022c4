/** Bodies that come later, such as those of a database: what is awaited, what is not, and what the wire leaves to others. */
import { describe, expect, test } from 'vitest';
import type { AppOptions } from '../../src/http/app.js';
import { createHandler } from '../../src/http/handler.js';
import { type RequestHead, requestFor } from '../../src/http/request.js';
import type { Resource } from '../../src/http/resource.js';
import { errorResponse, type PlainResponse, type Rendered } from '../../src/http/response.js';
import { createPlainHandler } from '../../src/http/wire/plain-handler.js';
import { EngineUnavailable } from '../../src/query/engine.js';
import { searchTextParameter } from '../../src/query/parameters.js';
import { appOptions, datasetOf } from '../support/api.js';

const served = datasetOf({});
const gone: PlainResponse = errorResponse({ code: 'not_found', message: 'Gone.' });

/** A handler of one resource at every path; `loads` counts how often its body was asked for. */
function handlerOf(load: () => Promise<Rendered | PlainResponse>, options: Partial<AppOptions> = {}) {
  let loads = 0;
  const counted = (): Promise<Rendered | PlainResponse> => {
    loads++;
    return load();
  };
  const resource: Resource = {
    parameters: [],
    isDeferred: true,
    handle: () => ({ type: 'text/plain', render: counted }),
  };
  const { handler, errors } = handlerAt(resource, options);
  const ask = (fields: RequestHead['fields'] = {}, method = 'GET') =>
    handler.answer(requestFor('/api/x', head(fields, method)));
  return { handler, ask, errors, loads: () => loads };
}

/** A handler with a resource at every path, and the errors that it tells. */
function handlerAt(resource: Resource, options: Partial<AppOptions> = {}) {
  const errors: unknown[] = [];
  const asked = { ...appOptions, served: () => served, onError: (error: unknown) => errors.push(error), ...options };
  const handler = createHandler(asked, () => Promise.resolve(), {
    find: () => ({ resource, segment: '' }),
    notFound: () => gone,
    loading: () => gone,
  });
  return { handler, errors };
}

const head = (fields: RequestHead['fields'] = {}, method = 'GET'): RequestHead => ({
  method,
  fields,
  host: 'localhost',
  address: '192.0.2.1',
});
const soon = async (): Promise<Rendered> => ({ body: 'later', headers: { 'X-Total-Count': '1' } });
const tagIn = (headers: string): string => /ETag: (.*)\r/.exec(headers)?.[1] ?? '';

describe('a promised body', () => {
  test('is awaited, and sent with its headers', async () => {
    const { status, headers, body } = await handlerOf(soon).ask();
    expect([status, String(body)]).toEqual([200, 'later']);
    expect(headers).toMatch(/^X-Total-Count: 1\r$/m);
    expect(headers).toMatch(/^Content-Length: 5\r$/m);
  });

  test('is not asked for where the client has it', async () => {
    const { ask, loads } = handlerOf(soon);
    const tag = tagIn((await ask()).headers);
    expect(loads()).toBe(1);
    expect((await ask({ 'if-none-match': tag })).status).toBe(304);
    expect(loads()).toBe(1);
  });

  test('comes before the preconditions that any client may send: an error is no 304', async () => {
    const { ask } = handlerOf(soon);
    expect((await ask({ 'if-none-match': '*' })).status).toBe(304);
    expect((await ask({ 'if-match': '"other"' })).status).toBe(412);
    const missing = handlerOf(async () => gone);
    const conditions = [
      { 'if-none-match': '*' },
      { 'if-match': '"other"' },
      { 'if-match': '"other"', 'if-none-match': '"x"' },
    ];
    for (const fields of conditions) expect((await missing.ask(fields)).status).toBe(404);
  });

  test('that the engine cannot give now is a 503, and no bug', async () => {
    const { ask, errors } = handlerOf(() => Promise.reject(new EngineUnavailable('Try again.')));
    const { status, headers, body } = await ask();
    expect([status, String(body)]).toEqual([503, '{"error":{"code":"unavailable","message":"Try again."}}']);
    expect(headers).toMatch(/^Retry-After: 1\r$/m);
    expect(errors).toEqual([]);
  });

  test('is cached at the first request: others had to be asked for it', async () => {
    const { ask, loads, handler } = handlerOf(soon);
    for (let i = 0; i < 4; i++) expect((await ask()).status).toBe(200);
    expect(loads()).toBe(1);
    expect(String(handler.answerAtOnce(requestFor('/api/x', head()))?.body)).toBe('later');
  });

  test('may turn out to be an error, which is not cached', async () => {
    const { ask, loads } = handlerOf(async () => gone);
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(404);
    expect(loads()).toBe(3);
  });

  test('that fails is a 500, and told', async () => {
    const { ask, errors } = handlerOf(() => Promise.reject(new Error('no connection')));
    expect((await ask()).status).toBe(500);
    expect(errors.map(String)).toEqual(['Error: no connection']);
  });

  test('is left to others by the wire, and counted by them alone', async () => {
    const { ask, handler, loads } = handlerOf(soon, { rateLimit: 1, now: () => 0 });
    expect(createPlainHandler(handler)('/api/x', head())).toBeNull();
    expect(loads()).toBe(0);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});

test('a resource that answers later without saying so is a bug on either way', async () => {
  const resource: Resource = { parameters: [], handle: () => ({ type: 'text/plain', render: soon }) };
  const { handler, errors } = handlerAt(resource);
  expect((await handler.answer(requestFor('/x', head()))).status).toBe(500);
  expect(handler.answerAtOnce(requestFor('/x', head()))?.status).toBe(500);
  const told = 'Error: /x answers later, and is not marked as deferred';
  expect(errors.map(String)).toEqual([told, told]);
});

test('what has to be built for a query is awaited, once the client may ask', async () => {
  let asked = 0;
  let finish = (): void => undefined;
  const built = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const resource: Resource = {
    parameters: [searchTextParameter],
    awaited(_, query) {
      if (query !== 'q=tea') return null;
      asked++;
      return built;
    },
    handle: () => ({ type: 'text/plain', render: () => ({ body: 'built' }) }),
  };
  const { handler } = handlerAt(resource, { rateLimit: 3, now: () => 0, hostNames: ['localhost'] });
  expect(String((await handler.answer(requestFor('/api/x?q=map', head()))).body)).toBe('built');
  // The wire has no effect: neither is a request counted, nor anything built.
  expect(handler.answerAtOnce(requestFor('/api/x?q=tea', head()))).toBeNull();
  expect((await handler.answer(requestFor('/api/x?q=tea', { ...head(), host: 'other' }))).status).toBe(421);
  expect(asked).toBe(0);
  const response = handler.answer(requestFor('/api/x?q=tea', head()));
  expect([asked, response]).toEqual([1, expect.any(Promise)]);
  finish();
  expect(String((await response).body)).toBe('built');
  await handler.answer(requestFor('/api/x?q=map', head()));
  expect((await handler.answer(requestFor('/api/x?q=tea', head()))).status).toBe(429);
  expect(asked).toBe(1);
});
