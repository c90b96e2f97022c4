/** `node load.js DUMP`: loads the dump into a table, and says how many records it has. */
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`CREATE TABLE articles AS SELECT * FROM read_json('${process.argv[2].replaceAll("'", "''")}')`);
const reader = await connection.runAndReadAll('SELECT count(*) FROM articles');
console.log(JSON.stringify({ records: Number(reader.getRows()[0][0]) }));
setInterval(() => connection, 1000);
