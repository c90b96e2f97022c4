/** Requests at a steady rate, for latency under load. */
import { ClientConnection, expectSuccess } from '../src/bench/client.js';

/** The loop stops when this many requests are pending: the server does not keep up, and its times show it. */
const MAX_WAITING_REQUESTS = 1000;

/**
 * An open loop: requests are due at a steady rate, whether or not earlier ones have been answered. A response's time counts from
 * when its request was due, so that a server that falls behind cannot hide it. No request is due after `untilMs`.
 */
export async function openLoop(
  port: number,
  paths: Iterable<string>,
  perSecond: number,
  untilMs: number,
): Promise<number[]> {
  const next = paths[Symbol.iterator]();
  const idle: ClientConnection[] = [];
  const times: number[] = [];
  const failures: unknown[] = [];
  const pending = new Set<Promise<void>>();
  const send = async (path: string, dueAt: number): Promise<void> => {
    const connection = idle.pop() ?? (await ClientConnection.open(port));
    expectSuccess(await connection.get(path), path);
    times.push(performance.now() - dueAt);
    idle.push(connection);
  };
  const startedAt = performance.now();
  for (let sent = 0; ; sent++) {
    const dueAt = startedAt + (sent * 1000) / perSecond;
    // Timers are exact to a millisecond only, so the client polls the clock instead.
    while (performance.now() < dueAt) await new Promise((resolve) => setImmediate(resolve));
    const step = next.next();
    if (step.done || dueAt - startedAt > untilMs) break;
    const response = send(step.value, dueAt)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => pending.delete(response));
    pending.add(response);
    if (pending.size > MAX_WAITING_REQUESTS) break;
  }
  await Promise.all(pending);
  for (const connection of idle) connection.close();
  if (failures.length > 0) throw failures[0];
  return times;
}
