/** SQLite as the parts use it: an empty database in memory. Peers' packages are installed under bench/, not beside the compiled parts. */
import { createRequire } from 'node:module';

interface Statement {
  run(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): readonly Readonly<Record<string, number>>[];
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
}

export function openSqlite(): Database {
  const require = createRequire(new URL('../../../bench/package.json', import.meta.url));
  try {
    const Sqlite: new (path: string) => Database = require('better-sqlite3');
    return new Sqlite(':memory:');
  } catch {
    console.error('better-sqlite3 is not installed: npm ci --prefix bench');
    process.exit(1);
  }
}
