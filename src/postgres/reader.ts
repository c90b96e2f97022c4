/**
 * Runs statements on a dump in the database, and gives their rows at once or in batches. A database that cannot answer is an
 * `EngineUnavailable`, whose message is for the client.
 */
import { Readable } from 'node:stream';
import { EngineUnavailable } from '../query/engine.js';
import { failureCode, type Sql } from './connection.js';
import { arrayText } from './copy-text.js';
import type { ParameterValue } from './statement.js';

export interface EngineLimits {
  /** A statement that takes longer is a 503. */
  readonly statementMs: number;
  /** A total above this may be an estimate where the request takes one. */
  readonly leastEstimate: number;
}
export const STATEMENT_LIMITS: EngineLimits = { statementMs: 10_000, leastEstimate: 1_000_000 };

export type DatabaseRow = Readonly<Record<string, unknown>>;

export interface DatabaseReader {
  readonly ask: (statement: string, values?: readonly ParameterValue[]) => Promise<readonly DatabaseRow[]>;
  /** The first column of all rows, at most `maxRows` at a time. */
  readonly batches: (
    statement: string,
    values: readonly ParameterValue[],
    maxRows: number,
  ) => AsyncIterable<readonly Buffer<ArrayBuffer>[]>;
}

/**
 * Batches have sessions of their own, `exports`, which slow readers keep: where all of them are taken, the next one is refused, since it
 * might wait for as long as any of them reads.
 */
export function createDatabaseReader(sql: Sql, exports: Sql, { statementMs }: EngineLimits): DatabaseReader {
  let runningExports = 0;
  return {
    async ask(statement, values = []) {
      try {
        return await sql.unsafe<DatabaseRow[]>(statement, sentValues(values));
      } catch (error) {
        throw unavailableFault(error, statementMs) ?? error;
      }
    },
    async *batches(statement, values, maxRows) {
      if (runningExports === exports.options.max)
        throw new EngineUnavailable(
          `As many exports as may run at once (${runningExports}) are being read: try again when one has ended.`,
        );
      runningExports++;
      try {
        yield* batchesOf(exports, statement, values, maxRows);
      } catch (error) {
        throw unavailableFault(error, statementMs) ?? error;
      } finally {
        runningExports--;
      }
    },
  };
}

/** The fault of a database that lacks what it is asked for, cannot be reached, or took too long; undefined for other errors. */
function unavailableFault(error: unknown, statementMs: number): EngineUnavailable | undefined {
  const code = failureCode(error);
  if (code === '57014')
    return new EngineUnavailable(
      `The database took longer than ${statementMs / 1000} s for this and was stopped: narrow the request.`,
    );
  if (code === '42P01' || code === '3F000')
    return new EngineUnavailable('The dump was replaced while this was answered: try again.');
  if (/^(?:E[A-Z]+|CONNECT.*|08\d{3}|57P0\d|53300)$/.test(code))
    return new EngineUnavailable('The database does not answer: try again.');
  return undefined;
}

const sentValues = (values: readonly ParameterValue[]): (string | number)[] =>
  values.map((value) => (typeof value === 'object' ? arrayText(value) : value));

/**
 * Batches of rows, one of which the database makes while the one before is read. The library's own iterator ends where a connection is
 * lost as if all rows had come; this stream fails.
 */
function batchesOf(sql: Sql, statement: string, values: readonly ParameterValue[], maxRows: number): Readable {
  let resume = (): void => {};
  const batches = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read: () => resume(),
    destroy(error, done) {
      resume();
      done(error);
    },
  });
  const end = (finish: () => void): void => {
    // The library would write to a connection that is lost.
    resume = () => {};
    finish();
  };
  sql
    .unsafe(statement, sentValues(values))
    .raw()
    .cursor(maxRows, (rows) => {
      if (batches.destroyed) return sql.CLOSE;
      if (batches.push(rows.map(([json]) => json))) return undefined;
      return new Promise((answer) => {
        resume = () => answer(batches.destroyed ? sql.CLOSE : undefined);
      });
    })
    .then(
      () => end(() => batches.push(null)),
      (error: Error) => end(() => batches.destroy(error)),
    );
  return batches;
}
