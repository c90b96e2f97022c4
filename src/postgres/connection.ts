/**
 * Connections to PostgreSQL by the library `postgres`, which is loaded only here. An address may hold a password, so no message has the
 * address: `addressWithoutPassword` tells where a server is. A password that the address lacks is `PGPASSWORD`, which the library reads.
 */
import type { Sql } from 'postgres';

export type { PendingQuery, Sql } from 'postgres';

/** Host and database of an address: `db.example:5432/shop`. */
export function addressWithoutPassword(address: string): string {
  const { hostname, port, pathname } = new URL(address);
  return `${hostname || 'localhost'}:${port || '5432'}${decodeURIComponent(pathname)}`;
}

interface ConnectionOptions {
  readonly connections: number;
  /** Settings of each session, such as `statement_timeout`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  readonly onClose?: () => void;
}

/** A type whose values are texts here, by its number: the library's own dates have no `infinity`, and its bytes are those of a text. */
const asText = (type: number) => ({
  to: type,
  from: [type],
  serialize: (text: string) => text,
  parse: (text: string) => text,
});
const TIMESTAMPTZ = 1184;
const BYTEA = 17;

export async function connect(address: string, { connections, settings, onClose }: ConnectionOptions): Promise<Sql> {
  const { default: postgres } = await import('postgres');
  return postgres(address, {
    max: connections,
    connect_timeout: 10,
    // Notices tell of what was there or is not there already.
    onnotice: () => {},
    ...(onClose && { onclose: onClose }),
    connection: { application_name: 'scraper-data-api', ...settings },
    types: { timestamptz: asText(TIMESTAMPTZ), bytea: asText(BYTEA) },
    // Types need not be fetched, since only texts and numbers are read; a query is prepared once in each session.
    fetch_types: false,
  });
}

/** The database's own word for a failure, `undefined_table`'s `42P01`, or the system's, such as `ECONNREFUSED`; empty where it has none. */
export const failureCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** By code of a failure: what to do. */
const DATABASE_ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start the server, or give the host and port where it listens',
  ENOTFOUND: 'give the name of a host',
  CONNECT_TIMEOUT: 'give a host that answers',
  '28P01': 'give the password in the address, or as PGPASSWORD',
  '28000': 'give a role that may log in',
  '3D000': 'make it with createdb',
  '42501': 'let an owner grant the right: push makes schemas in the database, and serve reads them',
  '42883': 'CREATE EXTENSION citus makes the function that --citus calls',
  '42P01': 'what was pushed there was dropped, so push it again',
};

/** A failure as a line, without statement, parameters or password. */
export function failureText(error: unknown, address: string): string {
  const code = failureCode(error);
  const text = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  const shownCode = code === '' || text?.includes(code) ? '' : ` (${code})`;
  const advice = DATABASE_ADVICE[code];
  return `PostgreSQL at ${addressWithoutPassword(address)}: ${text}${shownCode}${advice === undefined ? '' : `; ${advice}`}`;
}

/** The schema that has the name of the served one, and the channel that tells of another. */
export const POINTER_SCHEMA = 'scraper_data_api';
export const CHANNEL = 'scraper_data_api';
/** The beginning of the names of schemas, each of which holds a dump. */
export const SCHEMA_START = 'scraper_dump_';
/** How the tables are laid out, and their texts folded (`fold`); a server reads no other layout. */
export const LAYOUT = 5;
