/** The data quality section: how full each field is, findings, and counts for each file. */
import type { FileReport } from '../../../load/report/report.js';
import type { Field } from '../../../model.js';
import type { Comparison } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { count } from '../../../text.js';
import { baseName, collectionTitle, labelOf, longDay, numberText, shareText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import type { Served } from '../../served.js';
import { address, addressOfField } from '../frame/address.js';
import { block, blockHead } from '../frame/blocks.js';
import type { ShownFinding } from './findings.js';

export function qualitySection(
  loaded: readonly Collection[],
  served: Served,
  findings: readonly ShownFinding[],
  areCards: boolean,
): Content {
  const { report } = served;
  if (loaded.length === 0 && report.files.length === 0 && report.findings.length === 0) return null;
  const gaps = loaded.map(fieldGaps);
  // Only a dump of few collections shows complete fields.
  const described = gaps.filter(({ incomplete }) => !areCards || incomplete.length > 0);
  return html`<section class="about stack" aria-labelledby="quality">
<header class="split"><h2 id="quality">Data quality</h2></header>
<div class="blocks">${described.map((one) => fullness(one, described.length === 1 ? 'whole' : 'half'))}${worthALook(findings)}${fileList(served)}</div>
</section>`;
}

/** Further fields are folded away. */
const SHOWN_FIELDS = 12;

interface FieldGaps {
  readonly collection: Collection;
  /** The fields that some records lack, the emptiest first, without those that the dump never had. */
  readonly incomplete: readonly Field[];
  readonly complete: readonly Field[];
}

const gapOf = ({ missing }: Collection, { name }: Field): number => missing.get(name)?.count ?? 0;

function fieldGaps(collection: Collection): FieldGaps {
  const { model, size, missing } = collection;
  const fields = model.fields.filter(
    (field) => missing.has(field.name) && gapOf(collection, field) < size && !field.isOfHistory,
  );
  return {
    collection,
    incomplete: fields
      .filter((field) => gapOf(collection, field) > 0)
      .toSorted((a, b) => gapOf(collection, b) - gapOf(collection, a)),
    complete: fields.filter((field) => gapOf(collection, field) === 0),
  };
}

/** How full the fields of a collection are. */
function fullness({ collection, incomplete, complete }: FieldGaps, width: 'whole' | 'half'): Html {
  const { model, size } = collection;
  const rowOf = (field: Field): Html => {
    const present = size - gapOf(collection, field);
    const share = Math.round((present / size) * 1000) / 10;
    const link = html`<a href="${address(`/${model.name}`, [['missing', field.name]])}">${numberText(size - present)} without</a>`;
    return html`<li>${fieldLink(model.name, field)}<svg aria-hidden="true"><rect class="track" width="100%" height="100%"/><rect width="${share}%" height="100%"/></svg><span class="number">${shareText(present, size)}</span>${link}</li>`;
  };
  const list = (rows: readonly Field[]): Content =>
    rows.length > 0 && html`<ul class="fullness" role="list">${rows.map(rowOf)}</ul>`;
  const [first, more] = [incomplete.slice(0, SHOWN_FIELDS), incomplete.slice(SHOWN_FIELDS)];
  const moreRows =
    more.length > 0 && html`<details><summary>${more.length} more with gaps</summary>${list(more)}</details>`;
  const [aside, title] =
    incomplete.length === 0
      ? [null, 'All fields are complete']
      : ['the emptiest first', `${count(complete.length, 'other')} complete`];
  const completeNames = html`<details><summary>${title}</summary><ul class="tags row" role="list">${complete.map((field) => html`<li>${fieldLink(model.name, field)}</li>`)}</ul></details>`;
  return block(
    width,
    html`${blockHead(collectionTitle(model.name), aside)}${list(first)}
${moreRows}${complete.length > 0 && completeNames}`,
  );
}

const fieldLink = (collection: string, field: Field): Html =>
  html`<a class="name cut" href="${addressOfField(collection, field.name)}">${isolated(labelOf(field))}</a>`;

const QUALITY_SIGNS: Readonly<Record<ShownFinding['kind'], Html>> = {
  warning: html`<span class="sign warning"><span aria-hidden="true">&#9650;</span><span class="vh">Warning: </span></span>`,
  repair: html`<span class="sign good"><span aria-hidden="true">&#10003;</span><span class="vh">Repaired: </span></span>`,
  note: html`<span class="sign soft"><span aria-hidden="true">&middot;</span><span class="vh">Note: </span></span>`,
};
/** Further findings are folded away. */
const SHOWN_FINDINGS = 12;

function worthALook(all: readonly ShownFinding[]): Html {
  const item = ({ kind, text, file, address: target }: ShownFinding): Html =>
    html`<li class="beside">${QUALITY_SIGNS[kind]}<span>${target === undefined ? isolated(text) : html`<a href="${target}">${isolated(text)}</a>`}${file !== undefined && html` <span class="soft">&middot; ${isolated(file)}</span>`}</span></li>`;
  const counts = (['warning', 'repair', 'note'] as const).flatMap((kind) => {
    const ofKind = all.filter((one) => one.kind === kind).length;
    return ofKind === 0 ? [] : [count(ofKind, kind)];
  });
  const list = (findings: readonly ShownFinding[]): Html =>
    html`<ul class="findings" role="list">${findings.map(item)}</ul>`;
  const more = all.slice(SHOWN_FINDINGS);
  return html`<section class="block whole" id="worth-a-look">${blockHead('Worth a look', counts.join(', ') || null)}
${all.length === 0 ? html`<p>Nothing was refused, repaired or guessed.</p>` : list(all.slice(0, SHOWN_FINDINGS))}
${more.length > 0 && html`<details id="more-findings"><summary>${more.length} more</summary>${list(more)}</details>`}
${all.some(({ kind }) => kind === 'note') && html`<p class="soft">A mapping file beside a dump decides how a column is read, by a line such as <code>{"column": "field"}</code>.</p>`}</section>`;
}

/** `336 records, 2 refused, 5 values repaired`, without what no record of the file has. */
function countsOfFile({ accepted, refused, replaced, fields }: FileReport): string {
  const valuesThat = (are: 'repaired' | 'leftNull'): number => fields.reduce((sum, field) => sum + field[are], 0);
  const more = [
    [refused, 'refused'],
    [replaced, 'of an id that another has'],
    [valuesThat('repaired'), 'values repaired'],
    [valuesThat('leftNull'), 'values left null'],
  ] as const;
  const texts = more.flatMap(([records, says]) => (records === 0 ? [] : [`${numberText(records)} ${says}`]));
  return [count(accepted, 'record'), ...texts].join(', ');
}

/** The dumps that the served one was compared with, the newest first: a line for each, with its records of all collections. */
function earlierDumps(comparisons: readonly Comparison[]): readonly Html[] {
  const all = comparisons.flatMap(({ dumps }) => dumps.slice(0, -1));
  const times = [...new Set(all.map(({ timeMs }) => timeMs))].sort((a, b) => b - a);
  return times.map((timeMs) => {
    const ofTime = all.filter((dump) => dump.timeMs === timeMs);
    const name = ofTime[0]?.name ?? '';
    const records = ofTime.reduce((sum, dump) => sum + dump.records, 0);
    return html`<li><b title="${name}">${isolated(baseName(name))}</b> <span class="soft">${count(records, 'record')}, earlier, of ${longDay(timeMs)}</span></li>`;
  });
}

/** The list of more files is folded away. */
const MAX_OPEN_FILES = 5;

function fileList({ report: { files, ignored }, dataset }: Served): Content {
  if (files.length === 0 && ignored.length === 0) return null;
  const earlier = earlierDumps([...dataset.comparisons.values()]);
  const items = files.map(
    (file) =>
      html`<li><b title="${file.file}">${isolated(baseName(file.file))}</b> <span class="soft">${countsOfFile(file)}</span></li>`,
  );
  const list = html`<ul class="findings" role="list">${items}${earlier}</ul>`;
  return block(
    'whole',
    html`${blockHead('Files', numberText(files.length + earlier.length))}
${files.length + earlier.length > MAX_OPEN_FILES ? html`<details><summary>Records of each file</summary>${list}</details>` : list}
${ignored.length > 0 ? html`<p class="soft">Ignored: ${isolated(ignored.join(', '))}</p>` : null}`,
  );
}
