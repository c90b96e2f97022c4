/** `/api/types.d.ts` and the command `types`: TypeScript interfaces of the collections, by which answers of `fetch` are typed. */
import type { CollectionModel, Field } from '../../model.js';
import { changeFields } from '../../store/changes/changes.js';
import { capitalised } from '../markup/format.js';
import type { AppOptions } from '../options.js';
import { isSchema, type JsonSchema } from './json-schema.js';
import { envelopes, identifierOf, recordSchema } from './schemas.js';

export const TYPES_PATH = '/api/types.d.ts';

type TypesOptions = Pick<AppOptions, 'envelope' | 'hasAllFields'>;

/** The interfaces of these collections. A collection of its own has `Record` in its: `JobsRecord` beside `Product`. */
export const typesText = (models: readonly CollectionModel[], options: TypesOptions): string =>
  [
    '/** A page of a list or search, such as `Page<ProductItem>`. */',
    'export interface Page<Item> {',
    '  data: Item[];',
    `  ${options.envelope}: ${typescriptOf(envelopes[options.envelope])};`,
    '}',
    '',
    '/** The body of an answer whose status is 400 or more. */',
    'export interface ErrorBody {',
    '  error: { code: string; message: string; details?: { parameter: string; message: string }[] };',
    '}',
    '',
    ...declaration(CHANGE_COMMENT, 'Change', changeFields),
    ...models.flatMap((model) => ['', ...interfaceLines(model, options)]),
    '',
  ].join('\n');

const CHANGE_COMMENT =
  'A change between two dumps: `Page<Change>` is the answer of `/api/NAME/changes`, and of `/api/NAME/ID/history`.';

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
    ...declaration(`A record of \`${name}\`: the answer of \`/api/${name}/ID\`.`, record, fields, hasAllFields),
    '',
    `/** A record of \`${name}\`, as lists and searches have it. */`,
    `export type ${record}Item = ${item};`,
  ];
}

function declaration(comment: string, name: string, fields: readonly Field[], hasAllFields = false): readonly string[] {
  const { properties, required } = recordSchema(fields, comment, hasAllFields);
  const lines = Object.entries(properties).flatMap(([property, schema]) => [
    `  /** ${commentText(String(schema.description))} */`,
    `  ${propertyName(property)}${required.includes(property) ? '' : '?'}: ${typescriptOf(schema)};`,
  ]);
  return [`/** ${comment} */`, `export interface ${name} {`, ...lines, '}'];
}

/** The type of what a schema allows. */
function typescriptOf({ type = 'unknown', enum: values, items, properties }: JsonSchema): string {
  if (isSchema(items)) return `${typescriptOf(items)}[]`;
  if (isSchema(properties)) {
    const members = Object.entries(properties).map(
      ([name, schema]) => `${name}: ${typescriptOf(isSchema(schema) ? schema : {})}`,
    );
    return `{ ${members.join('; ')} }`;
  }
  const names = [type].flat().map((name) => (name === 'integer' ? 'number' : String(name)));
  const literals = Array.isArray(values)
    ? [values.map((value) => stringLiteral(String(value))), names.slice(1)].flat()
    : names;
  return literals.join(' | ');
}

const propertyName = (name: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : stringLiteral(name);

const stringLiteral = (name: string): string =>
  `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A description quotes names of the dump, which must not end the comment. */
const commentText = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
