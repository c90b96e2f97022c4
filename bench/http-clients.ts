/**
 * Clients of the HTTP benchmark, as a process of their own:
 *   probe PORT MS            asks for lists on eight connections, one request every few milliseconds; prints the waits
 * The other two begin with the first byte of their input, so that their own start takes no time from the probe.
 *   stalled PORT COUNT TARGET    asks for an export on each of so many connections, and reads nothing
 *   pipelined PORT COUNT TARGET  asks for so many exports on one connection in one write, and reads nothing
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [role = '', port = '', amount = '', target = ''] = process.argv.slice(2);
const CONNECTIONS = 8;
const PAUSE_MS = 5;

const open = (): Socket => connect(Number(port), '127.0.0.1').on('error', () => {});
const request = (path: string, ...fields: readonly string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`;

/** Milliseconds until the whole of an answer is there. */
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
    Array.from({ length: CONNECTIONS }, async () => {
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
if (role !== 'probe') await once(process.stdin, 'data');
if (role === 'probe') await probe();
else if (role === 'stalled') for (let i = 0; i < Number(amount); i++) open().write(request(target));
else if (role === 'pipelined') open().write(request(target, gzip).repeat(Number(amount)));
else throw new Error(`${role} is no role`);
