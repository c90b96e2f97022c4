/** `/api/types.d.ts` and the command `types`: TypeScript interfaces of the collections, by which answers of `fetch` are typed. */
import { type CollectionModel, type Field, type FieldKind, isList } from '../../model.js';
import { changeFields } from '../../store/changes/changes.js';
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
    '',
    ...declaration(CHANGE_COMMENT, 'Change', changeFields, options),
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
    ...declaration(`A record of \`${name}\`: the answer of \`/api/${name}/ID\`.`, record, fields, { hasAllFields }),
    '',
    `/** A record of \`${name}\`, as lists and searches have it. */`,
    `export type ${record}Item = ${item};`,
  ];
}

const declaration = (
  comment: string,
  name: string,
  fields: readonly Field[],
  { hasAllFields = false }: Pick<TypesOptions, 'hasAllFields'>,
): readonly string[] => [
  `/** ${comment} */`,
  `export interface ${name} {`,
  ...fields.flatMap((field) => [
    `  /** ${commentText(field.description)} */`,
    `  ${propertyLine(field, hasAllFields)}`,
  ]),
  '}',
];

/** `salary: number | null;` A list that a record lacks is left out; any other missing value is null. */
function propertyLine({ name, kind, required, onRequest, anyValue, oneOf }: Field, hasAllFields: boolean): string {
  const isOptional = isList(kind) || (onRequest && !hasAllFields);
  const type = anyValue ? TYPES.json : (oneOf?.map(stringLiteral).join(' | ') ?? TYPES[kind]);
  const isNullable = !(required || isList(kind) || type === TYPES.json);
  return `${propertyName(name)}${isOptional ? '?' : ''}: ${type}${isNullable ? ' | null' : ''};`;
}

const propertyName = (name: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : stringLiteral(name);

const stringLiteral = (name: string): string =>
  `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A description quotes names of the dump, which must not end the comment. */
const commentText = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
