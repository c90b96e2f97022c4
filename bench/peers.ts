/** The description of a peer: its folder under `bench/peers/` has a `peer.js`, which is read here and nowhere else. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Request, TaskName } from './plan.js';

export interface Place {
  /** The dump as an array of JSON, as json-server's database, and as tab-separated values. */
  readonly json: string;
  readonly db: string;
  readonly tsv: string;
  readonly port: number;
  /** A folder for what the peer writes; it stays from one round to the next. */
  readonly work: string;
}

export interface Peer {
  readonly title: string;
  readonly kind: 'http' | 'floor' | 'in process' | 'load';
  readonly packages: readonly string[];
  readonly settings: readonly string[];
  /** Task → why it is not measured. */
  readonly cannot: Readonly<Partial<Record<TaskName | 'reload', string>>>;
  /** Arguments of Node, or of `program`. */
  readonly command: (place: Place) => readonly string[];
  readonly program?: string;
  readonly version?: string;
  /** Tools that a peer needs and this machine lacks, besides packages. */
  readonly missing?: () => string | null;
  readonly target?: (request: Request) => string;
  /** The total of a list, where it stands in the head of a response. */
  readonly total?: (head: string) => number;
  /** It imports the dump into a file, and starts with that the next time. */
  readonly keepsFile?: boolean;
  readonly reload?: { readonly signal: NodeJS.Signals; readonly line: string };
}

const PEERS_FOLDER = 'bench/peers';
export const PEERS = [
  'ours',
  'json-server',
  'fastify-sqlite',
  'hono-array',
  'node-http',
  'minisearch',
  'flexsearch',
  'orama',
  'lucene',
  'duckdb',
] as const;
export type PeerName = (typeof PEERS)[number];

export async function readPeer(name: string): Promise<Peer> {
  const { default: peer }: { default: Peer } = await import(pathToFileURL(resolve(PEERS_FOLDER, name, 'peer.js')).href);
  return peer;
}

/** The reason why a peer cannot be measured on this machine, or null. */
export function missingOf({ packages, missing, program }: Peer): string | null {
  const absent = packages.filter((name) => versionOf(name) === null && !(name === 'better-sqlite3' && hasSqlite()));
  if (absent.length > 0) return `${absent.join(', ')} not installed`;
  if (program !== undefined && spawnSync(program, ['-version']).status !== 0) return `needs ${program}`;
  return missing?.() ?? null;
}

/** Node has SQLite itself from 22.5 on. */
const hasSqlite = (): boolean => process.getBuiltinModule?.('node:sqlite') !== undefined;

/** As installed under `bench/`, or else with the project. */
function versionOf(name: string): string | null {
  for (const folder of ['bench/node_modules', 'node_modules']) {
    const path = join(folder, name, 'package.json');
    if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')).version;
  }
  return null;
}

export const versionsOf = ({ packages, version }: Peer): string =>
  version ?? packages.map((name) => `${name} ${versionOf(name) ?? 'not installed'}`).join(', ');
