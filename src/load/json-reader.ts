/**
 * A JSON or NDJSON file → its records. The scanner finds them, each is parsed alone; where anything is irregular the
 * file is read once more by the strict checker, which knows the exact place and reason.
 */
import { readBytes, readChunks } from './bytes.js';
import { createDecoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import { parseBatch } from './json-batch.js';
import { JsonChecker, type JsonShape } from './json-checker.js';
import { findJsonLayout, type JsonLayout, twoArrays } from './json-layout.js';
import { RootObject } from './json-root.js';
import { JsonScanner, type ScanOutcome } from './json-scanner.js';
import type { Chunk } from './read-blocks.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';
import type { ReadOutcome } from './source-record.js';

export async function readJson(reading: Reading): Promise<ReadOutcome> {
  const layout = await findJsonLayout(reading.source, reading.likeness);
  if ('message' in layout) return layout;
  const records = createRecordFeed(layout, reading);
  const fault = await readChunks(reading.source, records.feed, reading.onRead);
  if (fault) return fault;
  const irregular = await records.finish();
  return irregular === undefined ? undefined : explain(reading.source, layout, irregular);
}

/** Where the scan met something irregular: at best the line of the record that could not be parsed. */
interface Irregular {
  readonly line: number;
  readonly message?: string;
}

function createRecordFeed(layout: JsonLayout, { take, decoder = createDecoder() }: Reading) {
  const scanner = new JsonScanner(layout.shape, layout.line);
  let skip = layout.offset;
  let tail: Tail | undefined;
  let irregular: Irregular | undefined;
  let stopped = false;

  /** Hands on what the scanner found, and what it finds once a wrong guess is undone. */
  const handOn = async (outcome: ScanOutcome): Promise<ScanOutcome | 'stopped'> => {
    const parsed = await parseBatch(scanner, layout.shape === 'array', decoder, take);
    if (parsed === 'done') return outcome;
    if (parsed === 'stopped') return parsed;
    const badLine = scanner.lines[parsed.badValue] ?? scanner.line;
    const again = scanner.rescan(parsed.badValue);
    if (again !== undefined) return handOn(again);
    irregular = { line: badLine };
    return 'irregular';
  };

  const feed = async (chunk: Chunk): Promise<boolean> => {
    const from = Math.min(chunk.from + skip, chunk.to);
    skip -= from - chunk.from;
    const bytes = chunk.bytes.subarray(from, chunk.to);
    if (tail) return tail.feed(bytes) || irregularTail();
    scanner.hold({ ...chunk, from });
    const outcome = await handOn(scanner.scan());
    stopped = outcome === 'stopped';
    if (stopped) return false;
    if (outcome === 'irregular') irregular ??= { line: scanner.line };
    if (outcome !== 'closed') return outcome === 'more';
    tail = createTail(layout, scanner.line);
    return tail.feed(bytes.subarray(scanner.restAt)) || irregularTail();
  };

  const irregularTail = (): false => {
    irregular = { line: scanner.line, ...tail?.fault() };
    return false;
  };

  return {
    feed,
    async finish(): Promise<Irregular | undefined> {
      if (irregular || stopped) return irregular;
      if (tail) return tail.isComplete() ? undefined : { line: scanner.line };
      const outcome = await handOn(scanner.finish());
      return outcome === 'closed' || outcome === 'stopped' ? undefined : (irregular ?? { line: scanner.line });
    },
  };
}

/** What follows the array of records: nothing, or the rest of its envelope. */
interface Tail {
  feed(bytes: Uint8Array): boolean;
  isComplete(): boolean;
  fault(): Irregular | undefined;
}

function createTail({ envelope }: JsonLayout, line: number): Tail {
  if (envelope === undefined)
    return { feed: (bytes) => bytes.every(isSpace), isComplete: () => true, fault: () => undefined };
  const root = new RootObject('members', line);
  let offset = 0;
  return {
    feed(bytes) {
      for (const byte of bytes) {
        if (root.state === 'after' ? !isSpace(byte) : root.take(byte, offset++)) return false;
        if (this.fault()) return false;
      }
      return true;
    },
    isComplete: () => root.state === 'after',
    fault() {
      const second = envelope.filled ? root.arrays.find(({ filled }) => filled) : undefined;
      return second && { line: second.line, message: twoArrays(envelope, second) };
    },
  };
}

const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** Reads the file strictly to its first fault. */
async function explain(source: SnapshotFile, layout: JsonLayout, irregular: Irregular): Promise<SnapshotFault> {
  const { file } = source;
  if (irregular.message !== undefined) return { file, line: irregular.line, message: irregular.message };
  const shape: JsonShape = layout.shape === 'sequence' ? 'sequence' : 'document';
  const checker = new JsonChecker(shape);
  let found: SnapshotFault | undefined;
  const fault = await readBytes(source, (chunk) => {
    const first = checker.feed(chunk);
    if (first) found = { file, ...first };
    return found === undefined;
  });
  if (fault) return fault;
  if (found) return found;
  const atEnd = checker.end();
  if (atEnd) return { file, ...atEnd };
  return {
    file,
    line: irregular.line,
    message: 'expected one JSON value after the other; is a separator missing, or a value too long?',
  };
}
