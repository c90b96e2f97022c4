/**
 * A search engine inside of its process, driven by lines of JSON: it prints how many records it has once it has built its index;
 * each later line of input names searches, and a line of output has what they found and how long each took.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export const readDump = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** `search(request)` gives `{ total, ids }`, ids of the first 20; it may take its time. */
export async function answer(records, search) {
  console.log(JSON.stringify({ records }));
  for await (const line of createInterface({ input: process.stdin })) {
    const { requests, maxMs } = JSON.parse(line);
    const times = [];
    const answers = [];
    const endsAt = performance.now() + maxMs;
    for (const request of requests) {
      const startedAt = performance.now();
      answers.push(await search(request));
      const endedAt = performance.now();
      times.push(endedAt - startedAt);
      if (endedAt > endsAt) break;
    }
    console.log(JSON.stringify({ times, found: answers.slice(0, 3) }));
  }
}
