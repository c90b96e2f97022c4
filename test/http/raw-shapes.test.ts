/**
 * What is accepted, refused and closed equals what bare `node:http` does, with the wire and without it, whole and byte
 * by byte; where it is meant to be something else, the table says what and why.
 */
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { MAX_HEADER_BYTES } from '../../src/http/bind.js';
import { listen } from '../../src/http/server.js';
import { appOf, datasetOf } from '../support/api.js';
import { pipelines, shapesBySection } from '../support/raw-shapes.js';

const articles = Array.from({ length: 9 }, (_, i) => ({ id: i + 1, title: `Title ${i}` }));
const app = appOf(datasetOf({ articles }));
const own = await Promise.all(
  [true, false].map((isAccelerated) => listen(app, { host: '127.0.0.1', port: 0, isAccelerated })),
);

/** The last response of each connection. */
const lastResponses = new WeakMap<Duplex, ServerResponse>();

/** Answers every request that the parser lets through, as briefly as can be told from other answers. */
const bare = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
  const { method = '', url = '', socket } = request;
  lastResponses.set(socket, response);
  const id = method === 'GET' ? /^(?:http:\/\/\w+)?\/api\/articles\/(\d+)$/.exec(url)?.[1] : undefined;
  const isAllowed = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  const body = isAllowed ? `{"id":${id ?? 'null'},` : `"message":"${method} is not allowed`;
  response.writeHead(200, { 'Content-Length': body.length }).end(body);
});
bare.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
  const response = lastResponses.get(socket);
  // A request with a broken body has one response: a proxy would give a second one to another client.
  if (response && !response.req.complete && (response.socket !== null || response.writableFinished)) socket.end();
  else if (code === 'HPE_CLOSED_CONNECTION') socket.destroy();
  else socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
});
Object.assign(bare, { httpAllowHalfOpen: true });
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
afterAll(() => {
  bare.close();
  return Promise.all(own.map((server) => server.close(100)));
});

/** Behind every shape: whether it is answered tells whether the connection was kept, and it ends the connection. */
const last = 'GET /api/articles/2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** What an answer is about: an article's id, a method that is not allowed, a refusal, or anything else. */
function labelOf(answer: string): string {
  const status = Number(answer.slice(9, 12));
  if (status === 100) return 'continue';
  const told = /^\{"id":(\d+),|"message":"([A-Z-]+) is not allowed/m.exec(answer);
  if (told !== null) return told[1] ?? told[2] ?? '';
  if (status >= 400 && status !== 404 && !answer.includes('"details"')) return 'refused';
  return 'answered';
}

/** What comes back for these pieces, sent one after another, until the server closes. */
function outcomeOf(url: string, pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
      .setEncoding('latin1')
      .setNoDelay();
    let received = '';
    socket.on('data', (chunk: string) => (received += chunk));
    // A reset ends the connection as well; what came before it counts.
    socket.on('error', () => {});
    socket.once('close', () => {
      const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/).filter((answer) => answer !== '');
      resolve(answers.map(labelOf).join(', '));
    });
    void send(pieces);
    async function send([piece, ...rest]: readonly string[]): Promise<void> {
      if (piece === undefined || !socket.writable) return void socket.end();
      socket.write(piece, 'latin1');
      await new Promise((next) => setImmediate(next));
      await send(rest);
    }
  });
}

const MAX_PIECES = 400;
/** Byte by byte, or in as many pieces as there may be. */
function cut(bytes: string): readonly string[] {
  const size = Math.ceil(bytes.length / MAX_PIECES);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

describe.each(Object.entries(shapesBySection))('%s', (_section, shapes) => {
  test.each(shapes)('$name', async ({ bytes, here, isSmuggling }) => {
    const ways = [[bytes + last], cut(bytes + last)];
    const outcomesAt = (url: string) => Promise.all(ways.map((pieces) => outcomeOf(url, pieces)));
    const bareOutcomes = await outcomesAt(bareUrl);
    const expected = bareOutcomes.map((outcome) => here?.outcome ?? outcome);
    for (const outcome of isSmuggling ? expected : []) expect(outcome).toMatch(/refused$|^POST$/);
    for (const { url } of own) expect(await outcomesAt(url)).toEqual(expected);
  });
});

describe('a pipeline cut at any byte is answered as the whole', () => {
  test.each(pipelines)('$name', async (shape) => {
    const bytes = shape.bytes + last;
    for (const { url } of own) {
      const whole = await outcomeOf(url, [bytes]);
      for (let at = 1; at < bytes.length; at++)
        expect(await outcomeOf(url, [bytes.slice(0, at), bytes.slice(at)]), `cut at ${at}`).toBe(whole);
    }
  });
});
