/**
 * Thousands of connections that do nothing, or nothing fast, and clients that vanish in the middle of an export: how long
 * others wait meanwhile, and whether every descriptor comes back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { spreadOf, type Target } from './measure.js';
import { descriptorsOf, end, MAIN, startServer } from './processes.js';
import { client, probe } from './soak-clients.js';
import { articlesFolder, milliseconds, watchScheduling } from './soak-common.js';

const IDLE = 5000;
const SLOW = 1000;
const VANISHING = 50;
const PROBE_MS = 25_000;
/** The first requests wait for code that V8 has not compiled yet. */
const WARM_UP_MS = 3000;
const MAX_P99_MS = 50;
/** By then the server has closed every connection that it closes by itself. */
const CLOSED_AFTER_MS = 5000;
const EXPORT = '/api/export/articles';

export async function connections(): Promise<readonly Target[]> {
  const { child, url } = await startServer(MAIN, articlesFolder());
  const { port } = new URL(url);
  await probe(port, WARM_UP_MS);
  await sleep(CLOSED_AFTER_MS);
  const before = descriptorsOf(child.pid);
  const busyClients = [
    client('idle', port, IDLE),
    client('slow', port, SLOW, EXPORT),
    client('vanishing', port, VANISHING, EXPORT),
  ];
  for (const each of busyClients) await each.begin();
  const atOnce = descriptorsOf(child.pid) - before;
  const scheduling = watchScheduling(child.pid);
  const { p99, worst, count } = spreadOf(await probe(port, PROBE_MS));
  const waited = scheduling();
  for (const each of busyClients) each.end();
  const [closedIdle = '', closedSlow = '', vanished = ''] = await Promise.all(
    busyClients.map(({ printed }) => printed),
  );
  await sleep(CLOSED_AFTER_MS);
  const unreturned = descriptorsOf(child.pid) - before;
  await end(child);
  const open = `${IDLE.toLocaleString('en')} idle connections, ${SLOW.toLocaleString('en')} slow ones`;
  return [
    {
      what: `${open}, ${vanished} clients that vanish in an export: how long a list takes others (${count.toLocaleString('en')} lists)`,
      found: `p99 ${milliseconds(p99)}, longest ${milliseconds(worst)}; ${waited}`,
      wanted: `p99 < ${MAX_P99_MS} ms`,
      holds: p99 < MAX_P99_MS,
    },
    {
      what: 'of them closed by the server meanwhile: idle ones, slow ones (half send no whole request within 15 s)',
      found: `${closedIdle}, ${closedSlow}`,
      wanted: `0, ${SLOW / 2}`,
      holds: closedIdle === '0' && closedSlow === `${SLOW / 2}`,
    },
    {
      what: `of their ${atOnce.toLocaleString('en')} descriptors at once, those that are not back after ${CLOSED_AFTER_MS / 1000} s`,
      found: `${unreturned}`,
      wanted: '0',
      holds: unreturned === 0,
    },
  ];
}
