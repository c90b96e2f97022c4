/** `/api/types.d.ts` and the command `types`: TypeScript interfaces of the collections, by which answers of `fetch` are typed. */
import { type CollectionModel, type Field, type FieldKind, isList } from '../../model.js';
import { capitalised } from '../markup/format.js';
import type { AppOptions, Envelope } from '../options.js';
import { identifierOf } from './schemas.js';

export const TYPES_PATH = '/api/types.d.ts';

type TypesOptions = Pick<AppOptions, 'envelope' | 'hasAllFields'>;

const TYPES: Readonly<Record<FieldKind, string>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  text: 'string',
  code: 'string',
  url: 'string',
  texts: 'string[]',
  codes: 'string[]',
  json: 'unknown',
};

const ENVELOPES: Readonly<Record<Envelope, string>> = {
  pagination: 'pagination: { total: number; page: number; limit: number; totalPages: number };',
  meta: 'meta: { current_page: number; per_page: number; total_items: number; total_pages: number };',
};

/** The interfaces of these collections. A collection of its own has `Record` in its: `JobsRecord` beside `Product`. */
export const typesText = (models: readonly CollectionModel[], options: TypesOptions): string =>
  [
    '/** A page of a list or search, such as `Page<ProductItem>`. */',
    'export interface Page<Item> {',
    '  data: Item[];',
    `  ${ENVELOPES[options.envelope]}`,
    '}',
    '',
    '/** The body of an answer whose status is 400 or more. */',
    'export interface ErrorBody {',
    '  error: { code: string; message: string; details?: { parameter: string; message: string }[] };',
    '}',
    ...models.flatMap((model) => ['', ...interfaceLines(model, options)]),
    '',
  ].join('\n');

/** The name of a record's interface. */
const interfaceName = ({ singular, name, isOwn }: CollectionModel): string =>
  isOwn ? `${capitalised(identifierOf(name))}Record` : singular;

function interfaceLines(model: CollectionModel, { hasAllFields = false }: TypesOptions): readonly string[] {
  const { name, fields } = model;
  const record = interfaceName(model);
  // With `--extra` lists have all fields. A field that an answer has on request only is optional in every one.
  const onlyInDetail = hasAllFields ? [] : fields.filter(({ detailOnly, onRequest }) => detailOnly && !onRequest);
  const item =
    onlyInDetail.length === 0
      ? record
      : `Omit<${record}, ${onlyInDetail.map((field) => stringLiteral(field.name)).join(' | ')}>`;
  return [
    `/** A record of \`${name}\`: the answer of \`/api/${name}/ID\`. */`,
    `export interface ${record} {`,
    ...fields.flatMap((field) => [
      `  /** ${commentText(field.description)} */`,
      `  ${propertyLine(field, hasAllFields)}`,
    ]),
    '}',
    '',
    `/** A record of \`${name}\`, as lists and searches have it. */`,
    `export type ${record}Item = ${item};`,
  ];
}

/** `salary: number | null;` A list that a record lacks is left out; any other missing value is null. */
function propertyLine({ name, kind, required, onRequest }: Field, hasAllFields: boolean): string {
  const isOptional = isList(kind) || (onRequest && !hasAllFields);
  const isNullable = !(required || isList(kind) || kind === 'json');
  return `${propertyName(name)}${isOptional ? '?' : ''}: ${TYPES[kind]}${isNullable ? ' | null' : ''};`;
}

const propertyName = (name: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : stringLiteral(name);

const stringLiteral = (name: string): string =>
  `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A description quotes names of the dump, which must not end the comment. */
const commentText = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
