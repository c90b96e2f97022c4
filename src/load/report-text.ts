/** The load report as lines for people. */
import { count } from '../text.js';
import type { FileReport, LoadReport } from './report.js';

/** One line per file, each refused record's first examples below it, then what was ignored. */
export const reportLines = ({ files, ignored }: LoadReport): readonly string[] => [
  ...files.flatMap((file) => [fileLine(file), ...refusalLines(file)]),
  ...ignored.map((file) => `${file}: ignored, its name begins with neither articles nor products`),
];

const fileLine = ({ file, accepted, bytes, tookMs, refused }: FileReport): string =>
  `${file}: ${count(accepted, 'record')}, ${megabytes(bytes)}, ${Math.round(tookMs)} ms, ${refused} refused`;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function refusalLines({ file, refusals, refused }: FileReport): readonly string[] {
  const lines = refusals.map(({ record, line, reason }) => `  ${file}:${line}: record ${record}: ${reason}`);
  const more = refused - refusals.length;
  return more > 0 ? [...lines, `  … and ${more.toLocaleString('en')} more`] : lines;
}
