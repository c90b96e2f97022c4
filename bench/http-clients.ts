/**
 * Clients of the HTTP benchmarks, as a process of their own:
 *   probe PORT MS            asks for lists on eight connections, one request every few milliseconds; prints the waits
 * The others begin with the first byte of their input, so that their own start takes no time from the probe.
 *   stalled PORT COUNT TARGET    asks for an export on each of COUNT connections, and reads nothing
 *   pipelined PORT COUNT TARGET  asks for COUNT exports on one connection in one write, and reads nothing
 * These print a line once they have begun, end with the next byte, and print how many connections the server has closed.
 *   idle PORT COUNT              keeps COUNT connections on which one request was answered
 *   slow PORT COUNT TARGET       sends a request a few bytes at a time on every second of COUNT connections, and reads
 *                                an export a few bytes at a time on the others
 *   vanishing PORT COUNT TARGET  asks for an export on COUNT connections at a time, and resets each within it
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [role = '', port = '', amount = '', target = ''] = process.argv.slice(2);
const PROBE_CONNECTIONS = 8;
const PAUSE_MS = 5;

const open = (): Socket => connect(Number(port), '127.0.0.1').on('error', () => {});
const request = (path: string, ...fields: readonly string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`;

/** Milliseconds until the whole answer has arrived. */
function wait(socket: Socket, path: string): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let received = '';
    const onData = (bytes: Buffer): void => {
      received += bytes.toString('latin1');
      const end = received.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
      if (end < 4 || received.length < end + length) return;
      socket.off('data', onData);
      resolve(performance.now() - startedAt);
    };
    socket.on('data', onData);
    socket.write(request(path));
  });
}

async function probe(): Promise<void> {
  const endsAt = performance.now() + Number(amount);
  const waits: number[] = [];
  let page = 0;
  await Promise.all(
    Array.from({ length: PROBE_CONNECTIONS }, async () => {
      const socket = open();
      while (performance.now() < endsAt) {
        waits.push(await wait(socket, `/api/articles?page=${1 + (page++ % 4000)}`));
        await sleep(PAUSE_MS);
      }
      socket.destroy();
    }),
  );
  console.log(JSON.stringify(waits));
}

const gzip = 'Accept-Encoding: gzip';
const count = Number(amount);
/** Connections that are opened at once: the system queues no more. */
const MAX_OPENING = 200;
const STEP_MS = 250;
const BYTES_A_STEP = 8;

/** Opens COUNT connections in turn, and counts those that are closed afterwards. */
async function openAll(use: (socket: Socket, i: number) => void) {
  const sockets: Socket[] = [];
  let closed = 0;
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(MAX_OPENING, count - sockets.length) }, open);
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    for (const socket of some) {
      socket.on('close', () => closed++);
      use(socket, sockets.push(socket) - 1);
    }
    await sleep(PAUSE_MS);
  }
  return { sockets, closed: () => closed };
}

/** Calls `step` again and again until the next byte of the input. */
async function untilTold(step: () => void): Promise<void> {
  console.log('begun');
  const timer = setInterval(step, STEP_MS);
  await once(process.stdin, 'data');
  clearInterval(timer);
}

async function idle(): Promise<number> {
  const { closed } = await openAll((socket) => socket.resume().write(request('/api/articles/1')));
  await untilTold(() => {});
  return closed();
}

async function slow(): Promise<number> {
  const requestText = request('/api/articles/1', 'X-Slow: '.padEnd(1000, 'x'));
  const { sockets, closed } = await openAll((socket, i) => {
    if (i % 2 === 1) socket.pause().write(request(target));
  });
  let sentBytes = 0;
  await untilTold(() => {
    sockets.forEach((socket, i) => {
      if (i % 2 === 0) socket.write(requestText.slice(sentBytes, sentBytes + BYTES_A_STEP));
      else socket.read(BYTES_A_STEP);
    });
    sentBytes += BYTES_A_STEP;
  });
  return closed();
}

async function vanishing(): Promise<number> {
  let isOver = false;
  let vanished = 0;
  const clients = Array.from({ length: count }, async () => {
    while (!isOver) {
      const socket = open();
      socket.write(request(target, ...(vanished % 2 === 0 ? [gzip] : [])));
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      socket.resetAndDestroy();
      vanished++;
      await sleep(STEP_MS);
    }
  });
  await untilTold(() => {});
  isOver = true;
  await Promise.all(clients);
  return vanished;
}

const patient: Readonly<Record<string, () => Promise<number>>> = { idle, slow, vanishing };

if (role !== 'probe') await once(process.stdin, 'data');
if (role === 'probe') await probe();
else if (role === 'stalled') for (let i = 0; i < count; i++) open().write(request(target));
else if (role === 'pipelined') open().write(request(target, gzip).repeat(count));
else {
  console.log(await patient[role]?.());
  process.exit();
}
