/** The help text: examples first, then commands, then the flags in groups; of one command where the command line names it. */
import { styleText } from 'node:util';
import { flagsOf } from '../config/command-line.js';
import { version } from '../config/config.js';
import {
  type CommandName,
  type Flag,
  flagGroups,
  isCommandName,
  ownFlags,
  series,
  serveFlags,
  variableOf,
} from '../config/flags.js';
import { terminalWidth } from './terminal.js';

interface CommandHelp {
  /** The command line behind the name of the program. */
  readonly usage: string;
  readonly description: string;
  readonly examples: readonly (readonly [command: string, effect: string])[];
}

const commandHelp: Readonly<Record<CommandName, CommandHelp>> = {
  serve: {
    usage: '[serve] [PATH…] [flags]',
    description: 'load snapshots and serve them',
    examples: [
      ['products.json', 'serve a dump at http://127.0.0.1:3000'],
      ['dumps/ --watch', 'serve a folder, and load it again whenever it changes'],
      ['products.json --delay 300 --fail 5%', 'show loading and error states of a page'],
    ],
  },
  check: {
    usage: 'check [PATH…] [flags]',
    description: 'read snapshots, print the report; exit 1 if a record was refused, or a gate does not hold',
    examples: [['check products.json', 'print what was read, repaired and refused']],
  },
  diff: {
    usage: 'diff OLD NEW [flags]',
    description: 'print what changed between two dumps; exit 0 if nothing did, 1 if something did',
    examples: [['diff monday.json tuesday.json', 'print new, gone and changed records']],
  },
  convert: {
    usage: 'convert PATH… [flags]',
    description: 'write typed, cleaned records to standard output, in bounded memory',
    examples: [
      ['convert dump.json > records.ndjson', 'the records as they would be served, a line each'],
      ['convert dump.csv --to csv --fields id,price', 'some fields, as CSV'],
      ['convert dump.json --schema postgres', 'the table that takes them'],
    ],
  },
  push: {
    usage: 'push PATH… --to ADDRESS [flags]',
    description: 'copy the records into PostgreSQL, in bounded memory',
    examples: [
      ['push dumps/ --to postgres://shop@db/shop', 'take the place of the dump that is served from there'],
      [
        'push dumps/ --to postgres://a/shop --partitions postgres://b/shop --partitions postgres://c/shop',
        'spread the rows',
      ],
    ],
  },
  types: {
    usage: 'types [PATH…] [flags]',
    description: 'print TypeScript interfaces of the records',
    examples: [['types products.json > records.d.ts', 'type the answers of fetch']],
  },
  bench: {
    usage: 'bench [PATH…] [flags]',
    description: 'measure how fast this machine serves the snapshots',
    examples: [['bench products.json', 'measure a dump']],
  },
};

/** A line of two columns, the second of which wraps. */
type HelpRow = readonly [left: string, right: string];

const LEFT_COLUMNS = 22;
/** The second column stands below the first where it would be narrower. */
const MIN_RIGHT_COLUMNS = 30;

/** Prints the help text of a command; without one the commands, and the flags of `serve`. */
export function help(command: CommandName | null): void {
  const bold = (text: string): string => styleText('bold', text, { stream: process.stdout });
  for (const line of helpText(command, terminalWidth(process.stdout), bold)) process.stdout.write(`${line}\n`);
}

/** The lines of the help text. `emphasize` marks headings, which are never wrapped: `wrapped` would count the marks as columns. */
export function* helpText(
  command: CommandName | null,
  columns: number,
  emphasize: (text: string) => string = (text) => text,
): Iterable<string> {
  const names = command === null ? Object.keys(commandHelp).filter(isCommandName) : [command];
  const shownCommand = command ?? 'serve';
  yield* wrapped(`scraper-data-api ${version()}: scraped articles and products as a fast JSON API`, columns);
  yield* section('examples', commandHelp[shownCommand].examples.map(programRow));
  yield* section(
    'usage',
    names.map((name) => programRow([commandHelp[name].usage, commandHelp[name].description])),
  );
  yield '';
  const operands =
    'PATH is a file or folder of any name; without one, the folder of --snapshots. A file called check is ./check. Behind each flag stand its environment variable and its default.';
  yield* wrapped(operands, columns);
  for (const [group, flags] of Object.entries(flagGroups)) {
    const commandFlags = flags.filter((name) => flagsOf(shownCommand).includes(name));
    if (commandFlags.length > 0) yield* section(`flags: ${group}`, commandFlags.map(flagRow));
  }
  yield* section('other flags', [
    ...Object.entries<Flag>(ownFlags[shownCommand]).map(([name, flag]) => ownFlagRow(name, flag)),
    ['-h, --help', command === null ? 'this text; behind a command, its own' : 'this text'],
    ['-v, --version', 'the version'],
  ]);
  if (shownCommand !== 'serve') return;
  yield '';
  const helpCalls = names.filter((name) => name !== 'serve').map((name) => `${name} --help`);
  const ending =
    'SIGTERM ends the server once running answers are sent, SIGINT at once; SIGHUP loads the snapshots again.';
  yield* wrapped(
    helpCalls.length === 0 ? ending : `${ending} The flags of other commands: ${series(helpCalls, 'and')}.`,
    columns,
  );

  function* section(heading: string, rows: readonly HelpRow[]): Iterable<string> {
    yield '';
    yield emphasize(heading);
    for (const row of rows) yield* rowLines(row, columns);
  }
}

const programRow = ([command, effect]: HelpRow): HelpRow => [`scraper-data-api ${command}`, effect];

function flagRow(name: string): HelpRow {
  const flag = serveFlags.find((each) => each.name === name);
  if (flag === undefined) throw new Error(`${name} is no flag`);
  const { value, fallback, description } = flag;
  const fallbackText = value === undefined ? '' : `, ${fallback || 'none'}`;
  return [`--${name}${value === undefined ? '' : ` ${value}`}`, `${description} [${variableOf(name)}${fallbackText}]`];
}

/** A flag that no variable stands for. */
const ownFlagRow = (name: string, { value, fallback, description }: Flag): HelpRow => [
  `--${name}${value === undefined ? '' : ` ${value}`}`,
  value === undefined ? description : `${description} [${fallback || 'none'}]`,
];

/** A row; the second column begins on a line of its own where the first is too long for one. */
function* rowLines([left, right]: HelpRow, columns: number): Iterable<string> {
  const isBeside = columns - LEFT_COLUMNS - 2 >= MIN_RIGHT_COLUMNS;
  const indent = isBeside ? LEFT_COLUMNS + 2 : 6;
  const lines = [...wrapped(right, columns - indent)].map((line) => `${' '.repeat(indent)}${line}`);
  const [first = '', ...more] = lines;
  if (isBeside && left.length < LEFT_COLUMNS) yield `  ${left.padEnd(LEFT_COLUMNS)}${first.trimStart()}`;
  else yield* [...[...wrapped(left, columns - 2)].map((line) => `  ${line}`), first];
  yield* more;
}

/** The text in lines of at most `columns`; a longer word has a line of its own. */
function* wrapped(text: string, columns: number): Iterable<string> {
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      yield line;
      line = '';
    }
    line += `${line === '' ? '' : ' '}${word}`;
  }
  yield line;
}
