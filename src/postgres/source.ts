/** The source of a database: it serves the dump that `push` made the served one, and each later one from the moment it is told of. */
import type { Language } from '../languages.js';
import type { LoadReport } from '../load/report/report.js';
import type { CollectionModel } from '../model.js';
import type { QueryEngine } from '../query/engine.js';
import {
  addressWithoutPassword,
  CHANNEL,
  connect,
  failureText,
  LAYOUT,
  POINTER_SCHEMA,
  type Sql,
} from './connection.js';
import { createPostgresEngine, type PushedDump } from './engine.js';
import type { StoredCollection } from './plan.js';
import { createDatabaseReader, type DatabaseReader, type EngineLimits, STATEMENT_LIMITS } from './reader.js';

export interface DatabaseDump extends PushedDump {
  readonly report: LoadReport;
  readonly modifiedAt: Date;
  readonly engine: QueryEngine;
}

export interface DatabaseSource {
  readonly dump: DatabaseDump;
  readonly end: () => Promise<void>;
}

interface SourceEvents {
  readonly onDump: (dump: DatabaseDump) => void;
  readonly onFault: (message: string) => void;
}

const QUERY_CONNECTIONS = 8;
const EXPORT_CONNECTIONS = 16;
/** A notice may be lost with its connection. */
const VERSION_LOOK_EVERY_MS = 5000;

/** Opens the served dump and goes on looking for later ones; a line where there is none. */
export async function openDatabaseSource(
  address: string,
  { onDump, onFault }: SourceEvents,
  limits: EngineLimits = STATEMENT_LIMITS,
): Promise<DatabaseSource | string> {
  const settings = {
    enable_partitionwise_aggregate: true,
    default_transaction_read_only: true,
    // Compiling a statement takes longer than most of them.
    jit: 'off',
    // Other servers are sent no call of a function with a parameter: each statement is planned with its values.
    plan_cache_mode: 'force_custom_plan',
  };
  const sql = await connect(address, {
    connections: QUERY_CONNECTIONS,
    settings: { ...settings, statement_timeout: limits.statementMs },
  });
  const exports = await connect(address, { connections: EXPORT_CONNECTIONS, settings });
  const reader = createDatabaseReader(sql, exports, limits);
  let timer: NodeJS.Timeout | undefined;
  const end = async (): Promise<void> => {
    clearInterval(timer);
    await Promise.all([sql.end({ timeout: 1 }), exports.end({ timeout: 1 })]);
  };
  const readServed = () => readDump(sql, reader, limits);
  try {
    const dump = await readServed();
    if (typeof dump === 'string') {
      await end();
      return `${addressWithoutPassword(address)}: ${dump}`;
    }
    const look = lookForLater(dump, sql, readServed, {
      onDump,
      onFault: (error) => onFault(failureText(error, address)),
    });
    timer = setInterval(look, VERSION_LOOK_EVERY_MS).unref();
    await sql.listen(CHANNEL, () => void look());
    return { dump, end };
  } catch (error) {
    await end();
    return failureText(error, address);
  }
}

/** Returns the function that looks for a later dump than the last one: one look at a time. */
function lookForLater(
  { schema: firstSchema }: DatabaseDump,
  sql: Sql,
  readServed: () => Promise<DatabaseDump | string>,
  { onDump, onFault }: { readonly onDump: SourceEvents['onDump']; readonly onFault: (error: unknown) => void },
): () => Promise<void> {
  let schema = firstSchema;
  let isLooking = false;
  let isFaulty = false;
  return async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      if ((await servedSchema(sql)) !== schema) {
        const later = await readServed();
        if (typeof later === 'string') throw new Error(later);
        schema = later.schema;
        onDump(later);
      }
      isFaulty = false;
    } catch (error) {
      // The fault is written once for each time that the database is away, not at each attempt.
      if (!isFaulty) onFault(error);
      isFaulty = true;
    } finally {
      isLooking = false;
    }
  };
}

async function servedSchema(sql: Sql): Promise<string | null> {
  const [there] = await sql`SELECT to_regclass(${`${POINTER_SCHEMA}.served`}) IS NOT NULL AS is_there`;
  if (there?.is_there !== true) return null;
  const [row] = await sql`SELECT schema FROM ${sql(POINTER_SCHEMA)}.served`;
  return row === undefined ? null : String(row.schema);
}

const NOTHING_PUSHED = 'nothing was pushed there yet: push PATH --to ADDRESS does it.';

async function readDump(sql: Sql, reader: DatabaseReader, limits: EngineLimits): Promise<DatabaseDump | string> {
  const schema = await servedSchema(sql);
  if (schema === null) return NOTHING_PUSHED;
  const name = sql(schema);
  const [about] = await sql`SELECT version, layout, modified_at::text AS modified_at, report FROM ${name}.":dump"`;
  if (about?.layout !== LAYOUT)
    return `the dump was pushed by another version of the program (layout ${about?.layout}, expected ${LAYOUT}): push it again.`;
  const rows = await sql`SELECT * FROM ${name}.":collections" ORDER BY position`;
  const [servers] =
    await sql`SELECT count(*) AS count FROM pg_foreign_server WHERE starts_with(srvname, ${`${schema}:`})`;
  const dump: PushedDump = {
    schema,
    version: String(about.version),
    partitions: Number(servers?.count),
    collections: new Map(rows.map((row) => [String(row.name), storedCollection(row)])),
  };
  return {
    ...dump,
    report: JSON.parse(String(about.report)) as LoadReport,
    modifiedAt: new Date(String(about.modified_at)),
    engine: createPostgresEngine(reader, dump, limits),
  };
}

const storedCollection = (row: Readonly<Record<string, unknown>>): StoredCollection => ({
  // The program wrote them: `layout` says in which form.
  model: JSON.parse(String(row.model)) as CollectionModel,
  language: row.language as Language,
  size: Number(row.size),
  meanBytes: Math.max(1, Number(row.bytes) / Math.max(1, Number(row.size))),
  isGapless: Number(row.replaced) === 0,
});
