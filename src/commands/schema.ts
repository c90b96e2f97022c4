/** `convert --schema`: the table or mapping that takes a collection's records as `convert` writes them. */
import type { SchemaTarget } from '../config/flags.js';
import type { CollectionModel, Field, FieldKind } from '../model.js';

/** The text of a schema for some fields of a collection. */
export function schemaText(target: SchemaTarget, model: CollectionModel, names: readonly string[]): string {
  const fields = names.flatMap((name) => model.fields.find((field) => field.name === name) ?? []);
  return SCHEMA_WRITERS[target](model.name, fields);
}

const POSTGRES_TYPES: Readonly<Record<FieldKind, string>> = {
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  date: 'timestamptz',
  text: 'text',
  code: 'text',
  url: 'text',
  texts: 'text[]',
  codes: 'text[]',
  json: 'jsonb',
};

const CLICKHOUSE_TYPES: Readonly<Record<FieldKind, string>> = {
  integer: 'Int64',
  number: 'Float64',
  boolean: 'Bool',
  date: "DateTime64(3, 'UTC')",
  text: 'String',
  code: 'String',
  url: 'String',
  texts: 'Array(String)',
  codes: 'Array(String)',
  // A value in JSON, as a text: INSERT takes it with input_format_json_read_objects_as_strings=1.
  json: 'String',
};

const OPENSEARCH_TYPES: Readonly<Record<FieldKind, object>> = {
  integer: { type: 'long' },
  number: { type: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  // A text is searched by its words, and sorted and counted as a whole.
  text: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
  code: { type: 'keyword' },
  url: { type: 'keyword' },
  texts: { type: 'keyword' },
  codes: { type: 'keyword' },
  json: { type: 'object', enabled: false },
};

/** Integers of PostgreSQL and ClickHouse have 64 bits; those of a dump 53. Names are quoted as each system quotes them. */
const SCHEMA_WRITERS: Readonly<Record<SchemaTarget, (table: string, fields: readonly Field[]) => string>> = {
  postgres: (table, fields) => {
    const name = quotedIdentifier(table, '"');
    const columns = fields.map(
      (field, i) =>
        `  ${quotedIdentifier(field.name, '"')} ${POSTGRES_TYPES[field.kind]}${i === 0 && field.name === 'id' ? ' primary key' : ''}`,
    );
    return [
      `create table ${name} (`,
      columns.join(',\n'),
      ');',
      '-- scraper-data-api convert … > records.ndjson, then:',
      '-- create temporary table lines (record jsonb);',
      `-- \\copy lines from records.ndjson csv quote e'\\x01' delimiter e'\\x02'`,
      `-- insert into ${name} select r.* from lines, jsonb_populate_record(null::${name}, record) r on conflict do nothing;`,
    ].join('\n');
  },
  clickhouse: (table, fields) => {
    const name = quotedIdentifier(table, '`');
    const columns = fields.map(
      ({ name, kind, required }) =>
        `  ${quotedIdentifier(name, '`')} ${nullable(CLICKHOUSE_TYPES[kind], required === true || kind === 'texts' || kind === 'codes')}`,
    );
    const order = fields.some((field) => field.name === 'id') ? 'id' : 'tuple()';
    return [
      `CREATE TABLE ${name} (`,
      columns.join(',\n'),
      `) ENGINE = MergeTree ORDER BY ${order};`,
      `-- scraper-data-api convert … | clickhouse-client --date_time_input_format best_effort --input_format_json_read_objects_as_strings 1 --query 'INSERT INTO ${name} FORMAT JSONEachRow'`,
    ].join('\n');
  },
  opensearch: (_, fields) =>
    JSON.stringify(
      { mappings: { properties: Object.fromEntries(fields.map(({ name, kind }) => [name, OPENSEARCH_TYPES[kind]])) } },
      null,
      2,
    ),
};

const quotedIdentifier = (name: string, quote: string): string =>
  `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;

const nullable = (type: string, isPresent: boolean): string => (isPresent ? type : `Nullable(${type})`);
