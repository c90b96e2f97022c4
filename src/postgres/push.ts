/**
 * A dump → a fresh schema of PostgreSQL, by `COPY`: memory holds what one chunk of a file gave, and the loader waits until the database
 * has taken it. The schema is served once its name stands in `scraper_data_api.served`, which one transaction writes last. Until then a
 * broken push has changed nothing that is served. The schema that was served before stays until the next push, for its readers.
 */
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { RecordBatch } from '../batch.js';
import { isOrdered } from '../field-kinds.js';
import type { Language } from '../languages.js';
import { type LoadFailed, type LoadResult, loadSnapshots, type SnapshotLoadOptions } from '../load/load.js';
import type { LoadReport } from '../load/report/report.js';
import type { CollectionModel } from '../model.js';
import {
  columnName,
  columnOfField,
  createLineWriter,
  hasSeveralValues,
  indexesOf,
  quotedName,
  tableColumns,
  tableName,
  tableOfCollection,
} from './columns.js';
import {
  addressWithoutPassword,
  CHANNEL,
  connect,
  failureCode,
  failureText,
  LAYOUT,
  POINTER_SCHEMA,
  SCHEMA_START,
  type Sql,
} from './connection.js';

interface PushDestination {
  readonly to: string;
  /** Servers that rows are spread over by a hash of the id; none where all stand in the first. */
  readonly partitions: readonly string[];
  /** Whether Citus distributes the tables. */
  readonly isCitus: boolean;
  readonly modifiedAt: Date;
}

export interface PushOptions extends PushDestination, Omit<SnapshotLoadOptions, 'onCollection' | 'onProgress'> {
  readonly onProgress?: (file: string, done: number, total: number) => void;
}

export interface PushedCollection {
  readonly name: string;
  readonly size: number;
  readonly replaced: number;
  /** Records with more words than the database searches. */
  readonly cut: number;
}

interface Pushed {
  readonly ok: true;
  readonly report: LoadReport;
  readonly version: string;
  readonly schema: string;
  readonly collections: readonly PushedCollection[];
}

/** A push that failed in a database, and the lines that remove what it left. */
interface PushFailed {
  readonly ok: false;
  readonly message: string;
  readonly leftovers: readonly string[];
}

/** A server that holds rows. */
interface DataServer {
  readonly sql: Sql;
  readonly address: string;
  /** Runs a statement; its failure ends the push, and is told of this server. */
  readonly run: (statement: string) => Promise<readonly Record<string, unknown>[]>;
  /** Ends the push. */
  readonly fail: (error: unknown) => void;
}

export const push = ({ onProgress, ...options }: PushOptions): Promise<Pushed | PushFailed | LoadFailed> =>
  pushRecords(options, (onCollection, written) =>
    loadSnapshots({
      ...options,
      onCollection,
      onProgress(...progress) {
        onProgress?.(...progress);
        return written();
      },
    }),
  );

/** Pushes the batches that `load` gives. `written` resolves when the databases have taken those before it. */
export async function pushRecords(
  { to, partitions, isCitus, modifiedAt }: PushDestination,
  load: (onCollection: SnapshotLoadOptions['onCollection'], written: () => Promise<void>) => Promise<LoadResult>,
): Promise<Pushed | PushFailed | LoadFailed> {
  // Pushes to several databases at once may share a partition.
  const schema = `${SCHEMA_START}${new Date().toISOString().replace(/\D/g, '')}${randomInt(1000, 10_000)}`;
  let isCreated = false;
  /** Aborted with the message of the first failure of a database: whoever waits for another one must not wait on. */
  const failed = new AbortController();
  const opened: DataServer[] = [];
  try {
    const first = await openServer(to, failed, opened);
    const servers: DataServer[] = [];
    for (const partition of partitions) servers.push(await openServer(partition, failed, opened));
    await refuseTwice(servers);
    await lock(first.sql);
    await dropOld(
      first.sql,
      servers.map(({ sql }) => sql),
    );
    isCreated = true;
    await createSchemas(first, servers, schema);
    const place = { firstServer: first, partitions: servers, schema, isCitus, signal: failed.signal };
    const pushing = createPushing(place);
    const loaded = await load(pushing.openCollection, pushing.written);
    if (!loaded.ok) {
      await pushing.endCopies();
      for (const { sql } of opened) await dropSchema(sql, schema);
      return loaded;
    }
    const { collections, version } = await pushing.finish();
    const { report } = loaded;
    await publish(first.sql, schema, { version, modifiedAt, report });
    return { ok: true, report, version, schema, collections };
  } catch (error) {
    const isOfFirst = error instanceof PushConflict || failureCode(error) !== '';
    if (!failed.signal.aborted && !isOfFirst) throw error;
    const message = failed.signal.aborted ? String(failed.signal.reason) : failureText(error, to);
    const leftovers = isCreated
      ? opened.map(({ address }) => `${addressWithoutPassword(address)}: ${dropLine(schema)}`)
      : [];
    return { ok: false, message, leftovers };
  } finally {
    await Promise.all(opened.map(({ sql }) => sql.end({ timeout: 1 })));
  }
}

/** Connects to a server, which is among the opened ones even if it does not answer. */
async function openServer(address: string, failed: AbortController, opened: DataServer[]): Promise<DataServer> {
  const fail = (error: unknown): void => failed.abort(failureText(error, address));
  const onClose = (): void => fail(new Error('the connection was closed'));
  const sql = await connect(address, { connections: 1, onClose });
  const run = (statement: string) =>
    sql.unsafe(statement).catch((error: unknown) => {
      fail(error);
      throw error;
    });
  const server = { sql, address, run, fail };
  opened.push(server);
  await run('SELECT 1');
  return server;
}

/** Makes the schema the served one, in one transaction, and notifies the servers. */
async function publish(
  first: Sql,
  schema: string,
  { version, modifiedAt, report }: Pick<Pushed, 'version' | 'report'> & Pick<PushDestination, 'modifiedAt'>,
): Promise<void> {
  await first.begin(async (sql) => {
    const name = sql(schema);
    await sql`INSERT INTO ${name}.":dump" VALUES (${version}, ${LAYOUT}, ${modifiedAt.toISOString()}::timestamptz, ${JSON.stringify(report)})`;
    await sql`DELETE FROM ${sql(POINTER_SCHEMA)}.served`;
    await sql`INSERT INTO ${sql(POINTER_SCHEMA)}.served VALUES (${schema}, now())`;
    await sql`SELECT pg_notify(${CHANNEL}, ${version})`;
  });
}

/**
 * Calls `tell` where a query fails. Once the library has resolved a COPY with its stream and that has ended, it tells nobody else of a
 * failure: whoever waits for the stream to finish would wait for ever.
 */
function onRejected(query: object, tell: (error: unknown) => void): void {
  if (!('reject' in query) || typeof query.reject !== 'function')
    throw new Error('the library rejects queries otherwise');
  const { reject } = query;
  Object.assign(query, {
    reject(error: unknown) {
      tell(error);
      reject(error);
    },
  });
}

const dropLine = (schema: string): string => `DROP SCHEMA IF EXISTS ${quotedName(schema)} CASCADE`;

class PushConflict extends Error {}

/** Refuses a database that holds two parts: each would be read with the rows of both. Two addresses may name one. */
async function refuseTwice(servers: readonly DataServer[]): Promise<void> {
  const names = new Set<string>();
  for (const { sql, address } of servers) {
    const [row] = await sql`SELECT concat(current_database(), ' ', pg_postmaster_start_time()) AS name`;
    if (names.has(String(row?.name)))
      throw new PushConflict(
        `--partitions must be different databases, found ${addressWithoutPassword(address)} twice`,
      );
    names.add(String(row?.name));
  }
}

/** Locks the database for one push: a second one beside it would drop the schema that this one fills. The lock ends with the session. */
async function lock(sql: Sql): Promise<void> {
  const [row] = await sql`SELECT pg_try_advisory_lock(hashtext(${POINTER_SCHEMA})) AS is_locked`;
  if (row?.is_locked !== true) throw new PushConflict('another push to this database is running');
  await sql.unsafe(`CREATE SCHEMA IF NOT EXISTS ${POINTER_SCHEMA}`);
  await sql.unsafe(
    `CREATE TABLE IF NOT EXISTS ${POINTER_SCHEMA}.served (schema text NOT NULL, pushed_at timestamptz NOT NULL)`,
  );
}

const LOCK_TIMEOUT = '2s';

/**
 * Drops the schemas of earlier pushes but the served one, and those that somebody still reads. The first server names them: a partition
 * may hold parts of another database's dump.
 */
async function dropOld(first: Sql, partitions: readonly Sql[]): Promise<void> {
  const old = await first`SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, ${SCHEMA_START})
    AND nspname NOT IN (SELECT schema FROM ${first(POINTER_SCHEMA)}.served)`;
  for (const { name } of old)
    try {
      // The first server is the last one, since what it lacks is dropped nowhere.
      for (const sql of [...partitions, first]) await dropSchema(sql, String(name));
    } catch {
      // It stays for the next push, whatever kept it: the statements behind tell of a server that takes none.
    }
}

async function dropSchema(sql: Sql, schema: string): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction.unsafe(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await transaction.unsafe(dropLine(schema));
    const servers =
      await transaction`SELECT srvname AS name FROM pg_foreign_server WHERE srvname LIKE ${`${schema}:%`}`;
    for (const { name } of servers) await transaction.unsafe(`DROP SERVER ${quotedName(String(name))} CASCADE`);
  });
}

/** The schema, the tables about the dump, and the foreign servers of its partitions. */
async function createSchemas(first: DataServer, servers: readonly DataServer[], schema: string): Promise<void> {
  const name = quotedName(schema);
  for (const { run } of [first, ...servers]) await run(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await first.run(
    `CREATE TABLE ${name}.":dump" (version text, layout int, modified_at timestamptz, report text);
     CREATE TABLE ${name}.":collections" (position int, name text, size bigint, replaced bigint, bytes bigint, language text, model text);
     CREATE TABLE ${name}.":fields" (collection text, position int, name text, kind text, role text, "column" text)`,
  );
  if (servers.length === 0) return;
  await first.run('CREATE EXTENSION IF NOT EXISTS postgres_fdw');
  for (const [part, { address }] of servers.entries()) {
    const { hostname, port, pathname, username, password } = new URL(address);
    const option = (key: string, value: string): string => `${key} ${quotedText(decodeURIComponent(value))}`;
    const at = [option('host', hostname), option('port', port || '5432'), option('dbname', pathname.slice(1))];
    const user = [option('user', username || 'postgres'), ...(password === '' ? [] : [option('password', password)])];
    const server = quotedName(`${schema}:${part}`);
    await first.run(
      `CREATE SERVER ${server} FOREIGN DATA WRAPPER postgres_fdw
         OPTIONS (${at.join(', ')}, async_capable 'true', fetch_size '200');
       CREATE USER MAPPING FOR PUBLIC SERVER ${server} OPTIONS (${user.join(', ')})`,
    );
  }
}

const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A collection whose records are being copied. */
interface PushTarget {
  readonly model: CollectionModel;
  readonly language: Language;
  readonly writer: ReturnType<typeof createLineWriter>;
  streams: readonly Writable[];
}

/** Where the tables of a push are. */
interface PushPlace {
  readonly firstServer: DataServer;
  /** The partitions; none where the first server has the rows itself. */
  readonly partitions: readonly DataServer[];
  readonly schema: string;
  readonly isCitus: boolean;
  /** The first failure of a server aborts it. */
  readonly signal: AbortSignal;
}

/** The servers that have the rows. */
const dataServers = ({ partitions, firstServer }: PushPlace): readonly DataServer[] =>
  partitions.length > 0 ? partitions : [firstServer];

const rowsTable = ({ schema, partitions }: PushPlace, { name }: CollectionModel): string =>
  tableOfCollection(schema, name, partitions.length > 0 ? ':rows' : '');

/**
 * Takes batches at once, and hands them to the databases one after the other. A collection that is opened once more, since its later
 * records contradict the first of them, begins anew with fresh tables.
 */
function createPushing(place: PushPlace) {
  const { partitions, signal } = place;
  const collections = new Map<string, PushTarget>();
  let current: PushTarget | null = null;
  let work: Promise<unknown> = Promise.resolve();
  /** Does a step after those before it; none once one has failed. */
  const after = (step: () => Promise<unknown>): void => {
    work = work.then(() => {
      signal.throwIfAborted();
      return step();
    });
    work.catch(() => {});
  };

  function endCopies(): Promise<unknown> {
    after(() => endCopy(current, signal));
    return work;
  }

  return {
    openCollection(model: CollectionModel, language: Language) {
      const writer = createLineWriter(model, language, partitions.length);
      const collection: PushTarget = { model, language, writer, streams: [] };
      const before = current;
      current = collection;
      after(() => endCopy(before, signal));
      after(async () => {
        collections.set(model.name, collection);
        await createTables(place, model);
        collection.streams = await startCopy(place, model);
      });
      return (batch: RecordBatch): readonly number[] => {
        for (const [part, lines] of writer.linesOf(batch).entries())
          if (lines !== '') after(() => write(collection.streams[part], lines, signal));
        // The database finds records of one id when all are there.
        return [];
      };
    },
    /** Resolves when the databases have taken all batches. */
    written: (): Promise<void> => work.then(() => {}),
    endCopies,
    async finish() {
      await endCopies();
      const pushed: PushedCollection[] = [];
      const hash = createHash('sha256');
      for (const [position, collection] of [...collections.values()].entries()) {
        const finished = await finishCollection(place, collection, position);
        pushed.push(finished.pushed);
        hash
          .update(`${JSON.stringify(finished.keyed)} ${collection.language}\n`)
          .update(collection.writer.hash.digest());
      }
      return { collections: pushed, version: hash.digest('base64url').slice(0, 16) };
    },
  };
}

async function createTables(place: PushPlace, model: CollectionModel): Promise<void> {
  const { firstServer, partitions, schema, isCitus } = place;
  const first = firstServer.sql;
  const columns = tableColumns(model, partitions.length > 0).join(', ');
  const rows = rowsTable(place, model);
  for (const { run } of dataServers(place))
    await run(`DROP TABLE IF EXISTS ${rows}; CREATE TABLE ${rows} (${columns})`);
  if (isCitus) await first`SELECT create_distributed_table(${rows}, 'id')`;
  if (partitions.length === 0) return;
  const table = tableOfCollection(schema, model.name);
  await first.unsafe(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${columns}) PARTITION BY LIST (":part")`);
  for (const part of partitions.keys())
    await first.unsafe(
      `CREATE FOREIGN TABLE ${tableOfCollection(schema, model.name, `:${part}`)} PARTITION OF ${table} FOR VALUES IN (${part})
         SERVER ${quotedName(`${schema}:${part}`)}
         OPTIONS (schema_name ${quotedText(schema)}, table_name ${quotedText(tableName(model.name, ':rows'))})`,
    );
}

/** The streams that copy the rows of a collection, one to each server. */
async function startCopy(place: PushPlace, model: CollectionModel): Promise<readonly Writable[]> {
  const streams: Writable[] = [];
  for (const { sql, fail } of dataServers(place)) {
    const query = sql.unsafe(`COPY ${rowsTable(place, model)} FROM STDIN`);
    onRejected(query, fail);
    const stream = await query.writable();
    stream.on('error', fail);
    streams.push(stream);
  }
  return streams;
}

async function endCopy(collection: PushTarget | null, signal: AbortSignal): Promise<void> {
  for (const stream of collection?.streams ?? []) {
    stream.end();
    await once(stream, 'finish', { signal });
  }
}

async function write(stream: Writable | undefined, text: string, signal: AbortSignal): Promise<void> {
  if (stream?.write(text) === false) await once(stream, 'drain', { signal });
}

/** The steps that need all rows of a collection. */
async function finishCollection(place: PushPlace, { model, language, writer }: PushTarget, position: number) {
  const first = place.firstServer.sql;
  const rows = rowsTable(place, model);
  const finishRows = async ({ run }: DataServer): Promise<number> => {
    const replacedRows = await replaceEarlier(run, rows);
    for (const index of indexesOf(model, rows)) await run(index);
    // A scan of an index alone skips the pages that VACUUM has marked.
    await run(`VACUUM (ANALYZE) ${rows}`);
    return replacedRows;
  };
  const replaced = (await Promise.all(dataServers(place).map(finishRows))).reduce((sum, each) => sum + each, 0);
  const size = writer.records() - replaced;
  const table = tableOfCollection(place.schema, model.name);
  if (place.partitions.length > 0) await first.unsafe(`ANALYZE ${table}`);
  const keys = await keysIn(first, model, table);
  const keyed = keys.length === 0 ? model : { ...model, keys };
  const name = first(place.schema);
  await first`INSERT INTO ${name}.":collections"
    VALUES (${position}, ${model.name}, ${size}, ${replaced}, ${writer.bytes()}, ${language}, ${JSON.stringify(keyed)})`;
  for (const [at, field] of model.fields.entries())
    await first`INSERT INTO ${name}.":fields" VALUES
      (${model.name}, ${at}, ${field.name}, ${field.kind}, ${field.role ?? null}, ${columnName(field.name)})`;
  return { pushed: { name: model.name, size, replaced, cut: writer.cut() }, keyed };
}

/** A record takes the row of an earlier one with its id, which goes. Returns how many went. */
async function replaceEarlier(run: DataServer['run'], table: string): Promise<number> {
  const [row] = await run(
    `WITH repeated AS (SELECT id, min(":row") AS first, max(":row") AS last FROM ${table} GROUP BY id HAVING count(*) > 1),
       gone AS (DELETE FROM ${table} AS t USING repeated AS r WHERE t.id = r.id AND t.":row" < r.last RETURNING 1),
       moved AS (UPDATE ${table} AS t SET ":row" = r.first FROM repeated AS r WHERE t.id = r.id AND t.":row" = r.last)
     SELECT count(*) FROM gone`,
  );
  return Number(row?.count);
}

/** The fields whose values are each in one record only, among those that may stand for ids in paths. */
async function keysIn(sql: Sql, { fields }: CollectionModel, table: string): Promise<readonly string[]> {
  const candidates = fields.filter((field) => field.mayBeKey === true && !hasSeveralValues(field));
  const areKeys = candidates.map((field, i) => {
    const column = columnOfField(field, isOrdered(field) ? '' : ':folded');
    return `count(${column}) > 0 AND count(${column}) = count(DISTINCT ${column}) AS "${i}"`;
  });
  const [row] = areKeys.length === 0 ? [] : await sql.unsafe(`SELECT ${areKeys.join(', ')} FROM ${table}`);
  return candidates.flatMap(({ name }, i) => (row?.[i] === true ? [name] : []));
}
