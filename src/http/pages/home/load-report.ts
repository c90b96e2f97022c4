/** What loading found, file by file: the report of `check` and `/health`, for people. */
import type { Example, FieldReport, FileReport, LoadReport, SourceName } from '../../../load/report.js';
import { count } from '../../../text.js';
import { numberText } from '../frame/format.js';
import { type Content, type Html, html, isolated } from '../frame/html.js';

/** Roles are spelt out, since a narrow screen shows rows as cards. */
const columns = ['Records', 'Refused', 'Replaced', 'Repaired values', 'Left empty'] as const;

export function loadReport({ files, ignored, warnings }: LoadReport): Html {
  const rows = files.map((file) => {
    const repaired = total(file.fields, ({ repaired }) => repaired);
    const leftNull = total(file.fields, ({ leftNull }) => leftNull);
    const counts = [file.accepted, file.refused, file.replaced, repaired, leftNull];
    return html`<tr role="row"><th role="rowheader" scope="row">${isolated(file.file)}</th>${counts.map((value, i) => html`<td role="cell" class="number${value > 0 ? ' some' : ''}" data-label="${columns[i] ?? ''}">${numberText(value)}</td>`)}</tr>`;
  });
  return html`<section class="report" aria-labelledby="report"><h2 id="report">What loading found</h2>
${warnings.map((warning) => html`<p class="warning">${isolated(warning)}</p>`)}
${
  files.length === 0
    ? html`<p>No file was loaded.</p>`
    : html`<table role="table" aria-labelledby="report"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">File</th>${columns.map((label) => html`<th role="columnheader" scope="col" class="number">${label}</th>`)}</tr></thead><tbody role="rowgroup">${rows}</tbody></table>`
}
${files.map(details)}
${ignored.length > 0 ? html`<p>Ignored: ${isolated(ignored.join(', '))}</p>` : null}
</section>`;
}

const total = (fields: readonly FieldReport[], of: (field: FieldReport) => number): number =>
  fields.reduce((sum, field) => sum + of(field), 0);

function details(file: FileReport): Content {
  const lines = [...refusals(file), ...file.fields.flatMap(fieldLines), ...otherLines(file)];
  if (lines.length === 0) return null;
  return html`<details class="more" id="about-${file.file}"><summary>${isolated(file.file)}: ${count(lines.length, 'remark')}</summary><ul>${lines.map((line) => html`<li>${isolated(line)}</li>`)}</ul></details>`;
}

function refusals({ refused, refusals: first }: FileReport): readonly string[] {
  const lines = first.map(({ record, line, reason }) => `refused: record ${record} (line ${line}): ${reason}`);
  const more = refused - first.length;
  return more > 0 ? [...lines, `refused: ${numberText(more)} more`] : lines;
}

function fieldLines({
  field,
  renamedFrom,
  repaired,
  repairs,
  leftNull,
  leftNullExamples,
}: FieldReport): readonly string[] {
  const lines: string[] = [];
  if (renamedFrom.length > 0) lines.push(`${field}: read from ${renamedFrom.map(({ name }) => name).join(', ')}`);
  if (repaired > 0) lines.push(`${field}: ${count(repaired, 'value')} repaired${examples(repairs)}`);
  if (leftNull > 0) lines.push(`${field}: ${count(leftNull, 'value')} left empty${examples(leftNullExamples)}`);
  return lines;
}

const examples = (found: readonly Example[]): string =>
  found.length === 0 ? '' : `, such as ${found.map(exampleText).join('; ')}`;

const exampleText = ({ raw, read, record }: Example): string =>
  `${raw}${read === null ? '' : ` → ${JSON.stringify(read)}`} (record ${record})`;

function otherLines({
  idsAssigned,
  notes,
  notKept,
  keepsExtra,
  otherTypes,
  suspicions,
}: FileReport): readonly string[] {
  const lines = [...notes, ...suspicions];
  if (idsAssigned > 0) lines.push(`id: given by position to ${count(idsAssigned, 'record')}`);
  if (otherTypes.length > 0) lines.push(`of other types, left out: ${namesOf(otherTypes)}`);
  if (notKept.length > 0) lines.push(`${keepsExtra ? 'kept in extra' : 'not kept'}: ${namesOf(notKept)}`);
  return lines;
}

const namesOf = (names: readonly SourceName[]): string => names.map(({ name }) => name).join(', ');
