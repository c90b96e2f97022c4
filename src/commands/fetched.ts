/**
 * Dumps that are no files yet: standard input, and addresses. Each goes into a temporary file first, since a dump may be read twice. The
 * files are deleted when they have been used, and also where the process ends before that, by itself or by a signal.
 */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp, utimes } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { folderState, watchFolder } from '../build/watch.js';
import { DEFAULT_MAX_DOWNLOAD_BYTES, type DumpPlace, isFetched, STANDARD_INPUT, version } from '../config/config.js';
import type { LoadFailed } from '../load/load.js';
import { faultText } from '../load/report/report.js';
import { type FetchedResponse, httpGet } from './http-get.js';
import { warn, withProgress } from './terminal.js';

/** Fields of a request by which an address tells that its content is the same (RFC 9110, section 13.1). */
type ContentValidators = Readonly<Record<string, string>>;

/** A fetched dump. */
interface Fetched {
  readonly path: string;
  readonly validators: ContentValidators;
}

/** By the path that the user named. */
type FetchedFiles = ReadonlyMap<string, Fetched>;

/** A dump that cannot be fetched, with the path that the user named. */
class FetchFault extends Error {
  readonly source: string;

  constructor(source: string, message: string) {
    super(message);
    this.source = source;
  }
}

/** Uses a place whose fetched dumps are files meanwhile. */
export async function useFetched<Result>(
  place: DumpPlace,
  use: (place: DumpPlace, files: FetchedFiles) => Promise<Result>,
): Promise<Result | LoadFailed> {
  const folder = await createFolder().catch(loadFailure);
  if ('ok' in folder) return folder;
  try {
    const files = await fetchAll(place, folder.dir).catch(loadFailure);
    return 'ok' in files ? files : await use(placeOfCopies(files, place), files);
  } finally {
    folder.remove();
  }
}

function loadFailure(error: unknown): LoadFailed {
  if (!(error instanceof FetchFault)) throw error;
  return { ok: false, fault: { file: error.source, message: error.message }, others: [] };
}

function placeOfCopies(files: FetchedFiles, place: DumpPlace): DumpPlace {
  const paths = (place.paths ?? []).map((path) => files.get(path)?.path ?? path);
  const fetched = Object.fromEntries([...files].map(([source, { path }]) => [path, nameWithoutPassword(source)]));
  return { ...place, paths, dir: (place.paths ?? []).map(nameWithoutPassword).join(', '), fetched };
}

async function fetchAll(place: DumpPlace, dir: string): Promise<FetchedFiles> {
  const files = new Map<string, Fetched>();
  for (const source of new Set(place.paths?.filter(isFetched)))
    files.set(source, await fetchOne(source, place, join(dir, String(files.size))));
  return files;
}

interface Folder {
  readonly dir: string;
  readonly remove: () => void;
}

/** A folder of its own, removed with the process at the latest. */
async function createFolder(): Promise<Folder> {
  const dir = await mkdtemp(join(tmpdir(), 'scraper-data-api-')).catch((error: Error) => {
    throw new FetchFault(
      tmpdir(),
      `there is no temporary file to be made in it: ${error.message}; TMPDIR names another folder`,
    );
  });
  const clear = (): void => rmSync(dir, { recursive: true, force: true });
  const handlers = ENDING_SIGNALS.filter((signal) => process.listenerCount(signal) === 0).map((signal) => {
    const end = (): void => {
      remove();
      process.kill(process.pid, signal);
    };
    process.once(signal, end);
    return [signal, end] as const;
  });
  process.once('exit', clear);
  function remove(): void {
    clear();
    process.off('exit', clear);
    for (const [signal, end] of handlers) process.off(signal, end);
  }
  return { dir, remove };
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The name of a path in messages: of an address, without its password. */
function nameWithoutPassword(path: string): string {
  if (path === STANDARD_INPUT) return 'standard input';
  if (!isFetched(path)) return path;
  const url = new URL(path);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Fetches a dump into a folder that is new. */
async function fetchOne(source: string, place: DumpPlace, dir: string): Promise<Fetched> {
  if (source !== STANDARD_INPUT) return fetchAddress(source, place, dir);
  if (process.stdin.isTTY) warn('reading standard input; Ctrl+D ends it');
  // Its name says nothing, so that its fields tell what it holds.
  const path = join(dir, 'records');
  await writeChunks(process.stdin, path, nameWithoutPassword(source), () => {});
  return { path, validators: {} };
}

/** Asks for a dump. The caller reads its body, or destroys it. It is not modified (304) only where validators were sent. */
async function askFor(source: string, validators: ContentValidators): Promise<FetchedResponse> {
  const sourceName = nameWithoutPassword(source);
  const response = await httpGet(sourceName, { ...requestHeaders(source), ...validators }).catch((error) => {
    throw new FetchFault(sourceName, `it cannot be fetched: ${systemReason(error)}`);
  });
  const { status, statusText, body } = response;
  if (status === 200 || (status === 304 && Object.keys(validators).length > 0)) return response;
  body.destroy();
  const advice = STATUS_ADVICE[status] ?? '';
  throw new FetchFault(sourceName, `expected a dump, found ${status} ${statusText}`.trimEnd() + advice);
}

/** Downloads a dump. */
async function fetchAddress(
  source: string,
  { maxDownloadBytes = DEFAULT_MAX_DOWNLOAD_BYTES }: DumpPlace,
  dir: string,
): Promise<Fetched> {
  const sourceName = nameWithoutPassword(source);
  const fault = (message: string): FetchFault => new FetchFault(sourceName, message);
  const response = await askFor(source, {});
  const { headers, body } = response;
  const tooLarge = (): FetchFault =>
    fault(`it is larger than ${exactBytesText(maxDownloadBytes)}; --max-download SIZE allows more`);
  const length = Number(headers['content-length'] ?? 0);
  if (length > maxDownloadBytes) {
    body.destroy();
    throw tooLarge();
  }
  const path = join(dir, fileName(response));
  let receivedBytes = 0;
  await withProgress(async (onProgress) => {
    await writeChunks(body, path, sourceName, (chunk) => {
      if (receivedBytes === 0 && isPage(headers['content-type'] ?? '', chunk))
        throw fault('expected a dump, found a page of HTML: the address of the file itself is needed');
      receivedBytes += chunk.length;
      if (receivedBytes > maxDownloadBytes) throw tooLarge();
      onProgress(sourceName, receivedBytes, Math.max(length, receivedBytes));
    });
  });
  const modified = Date.parse(headers['last-modified'] ?? '');
  if (!Number.isNaN(modified)) await utimes(path, new Date(modified), new Date(modified));
  return { path, validators: validatorsOf(headers) };
}

/** `4 GB` */
const exactBytesText = (bytes: number): string => {
  const [unit, name] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB'];
  return `${Number((bytes / unit).toFixed(3))} ${name}`;
};

/** A name and password in the address go where HTTP has them (RFC 7617). Some servers, such as GitHub's, refuse a client without a name. */
function requestHeaders(source: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(source);
  const headers = {
    Accept: 'application/json, application/x-ndjson, text/csv, */*;q=0.5',
    'User-Agent': `scraper-data-api/${version()}`,
  };
  if (username === '' && password === '') return headers;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { ...headers, Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function validatorsOf({ etag, 'last-modified': modified }: IncomingHttpHeaders): ContentValidators {
  return {
    ...(etag !== undefined && { 'If-None-Match': etag }),
    ...(modified !== undefined && { 'If-Modified-Since': modified }),
  };
}

const LOGIN_ADVICE = '; one that needs a login is piped: curl … | scraper-data-api -';
const STATUS_ADVICE: Readonly<Record<number, string>> = { 401: LOGIN_ADVICE, 403: LOGIN_ADVICE };

/** Where several addresses of a name were tried, an error has no message but the system's code. */
const systemReason = (error: unknown): string =>
  error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);

/** Whether an answer is a page for people, such as that of a login. A page may be called text, and a dump HTML. */
function isPage(type: string, chunk: Uint8Array): boolean {
  const beginning = Buffer.from(chunk.subarray(0, 200)).toString('latin1').trimStart();
  return /^(?:<!doctype html|<html)/i.test(beginning) || (/\bhtml\b/i.test(type) && beginning.startsWith('<'));
}

/** The ending of the formats that a media type may say. JSON may be a document or lines, which its content tells. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/x-ndjson': '.ndjson',
  'application/ndjson': '.ndjson',
  'application/jsonl': '.ndjson',
  'application/x-jsonlines': '.ndjson',
};
const KNOWN_ENDING = /(?:\.(?:json|har|geojson|jsonld|ndjson|jsonl|jl|csv|tsv))?(?:\.(?:gz|zst|zip))?$/i;
const TABLE_ENDING = /\.[ct]sv(?:\.\w+)?$/i;
const MAX_NAME_LENGTH = 100;

/** The name of the file: the last segment of the address, with an ending where its media type, or its own, says the format. */
function fileName({ url, headers }: FetchedResponse): string {
  const segment = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  const name = printableName(segment);
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const ending = ENDINGS[type.trim().toLowerCase()];
  const stem = name.replace(KNOWN_ENDING, '') || 'records';
  const nameEnding = TABLE_ENDING.exec(name)?.[0] ?? '';
  return `${stem.slice(0, MAX_NAME_LENGTH)}${ending ?? nameEnding}`;
}

/** A segment of a path as a name of a file: no folder of its own, and no dot before it, which hides a file. */
function printableName(segment: string): string {
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // A stray percent sign is one.
  }
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  return last.replace(/[\p{Cc}:*?"<>|]/gu, '_').replace(/^\.+/, '');
}

/** Writes a stream into a new file. `take` sees each chunk first, and throws where it must not go on. */
async function writeChunks(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  source: string,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx', 0o600);
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error) => {
        throw new FetchFault(source, `it ended too early: ${systemReason(error)}`);
      });
      if (next.done === true) return;
      take(next.value);
      writeWhole(file, next.value, source);
    }
  } finally {
    await iterator.return?.().catch(() => {});
    closeSync(file);
  }
}

/** A chunk goes to the cache of the system at once: to wait for another thread would take longer. */
function writeWhole(file: number, chunk: Uint8Array, source: string): void {
  try {
    for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new FetchFault(source, writeFault(error));
  }
}

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

const writeFault = (error: Error & { readonly code?: string }): string =>
  NO_ROOM.includes(error.code ?? '')
    ? `it does not fit into the folder for temporary files, ${tmpdir()}: TMPDIR names another (${error.message})`
    : `it cannot be written into the folder for temporary files, ${tmpdir()}: ${error.message}`;

interface WatchHandlers {
  readonly onChange: () => void;
  readonly onFault: (message: string) => void;
}

/** Where a server's dump comes from, at the start and at each reload. */
export interface DumpSource {
  /** Calls `use` with a place that holds files only; they are there as long as it runs. */
  readonly use: <Result>(use: (place: DumpPlace) => Promise<Result>) => Promise<Result | LoadFailed>;
  /** Calls `onChange` whenever the dump has changed since it was used, until the signal aborts. */
  readonly watch: (signature: string, handlers: WatchHandlers, signal: AbortSignal, everyMs?: number) => void;
}

/** A server's dump, of which something is fetched at the start and at each reload. */
export async function createFetchedSource(place: DumpPlace): Promise<DumpSource> {
  const localPlace = { ...place, paths: (place.paths ?? []).filter((path) => !isFetched(path)) };
  const { signature } = await folderState(localPlace);
  /** The dumps that were fetched last; `watch` asks from then on whether they have changed. Where they cannot be fetched, it asks again. */
  let latest: FetchedFiles | undefined;
  let isFetching = false;
  return {
    use(load) {
      if (latest !== undefined && place.paths?.includes(STANDARD_INPUT) === true) return Promise.resolve(readBefore);
      isFetching = true;
      return useFetched(place, (fetchedPlace, files) => {
        latest = files;
        isFetching = false;
        return load(fetchedPlace);
      }).finally(() => {
        isFetching = false;
      });
    },
    // The signature that it is given is of the fetched files, which are deleted after each use: that of the local ones counts.
    watch(_, handlers, signal, everyMs) {
      if (localPlace.paths.length > 0) void watchFolder(localPlace, signature, handlers.onChange, signal);
      const validatorsAt = (source: string) => (isFetching ? undefined : latest?.get(source)?.validators);
      for (const source of latest?.keys() ?? [])
        if (source !== STANDARD_INPUT) void watchAddress(source, () => validatorsAt(source), handlers, signal, everyMs);
    },
  };
}

const readBefore: LoadFailed = {
  ok: false,
  fault: { file: 'standard input', message: 'it was read at the start, and cannot be read again' },
  others: [],
};

const ASK_EVERY_MS = 60_000;
const NO_VALIDATORS =
  'it has neither an ETag nor a date, so that --watch cannot tell whether it has changed; SIGHUP loads it again';

/**
 * Asks an address again now and then whether its content has the same validators, and calls `onChange` where it has others. A fault is
 * reported once, until it is another one. `validators`: those of the content that was fetched last; undefined while it is fetched.
 */
export async function watchAddress(
  source: string,
  validators: () => ContentValidators | undefined,
  { onChange, onFault }: WatchHandlers,
  signal: AbortSignal,
  everyMs = ASK_EVERY_MS,
): Promise<void> {
  if (Object.keys(validators() ?? {}).length === 0) return onFault(`${nameWithoutPassword(source)}: ${NO_VALIDATORS}`);
  let lastFault = '';
  while (!signal.aborted) {
    await wait(everyMs, undefined, { ref: false, signal }).catch(() => {});
    if (signal.aborted) return;
    const latest = validators();
    if (latest === undefined) continue;
    const response = await askFor(source, latest).catch(loadFailure);
    const message = 'ok' in response ? faultText(response.fault) : '';
    if (message !== '' && message !== lastFault) onFault(message);
    lastFault = message;
    if ('ok' in response) continue;
    response.body.destroy();
    // A server may answer 200 for content that is the same.
    const isSame = response.status === 304 || JSON.stringify(validatorsOf(response.headers)) === JSON.stringify(latest);
    if (!isSame) onChange();
  }
}
