/** What loading found, file by file: the report of `check` and `/health`, for people. */
import type { FieldReport, FileReport, LoadReport } from '../../../load/report.js';
import { remarksOn } from '../../../load/report-text.js';
import { count } from '../../../text.js';
import { numberText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';

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
  const lines = remarksOn(file);
  if (lines.length === 0) return null;
  return html`<details class="more" id="about-${file.file}"><summary>${isolated(file.file)}: ${count(lines.length, 'remark')}</summary><ul>${lines.map((line) => html`<li>${isolated(line)}</li>`)}</ul></details>`;
}
