/** A command line and its environment → the command that runs, with all that it was told. Flags win over the environment. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { hasGates } from '../build/gates.js';
import { didYouMean } from '../nearest.js';
import { quote } from '../text.js';
import {
  type DumpPlace,
  fromPackage,
  type GivenFlags,
  type GivenTexts,
  gatesIn,
  readingIn,
  STANDARD_INPUT,
  valuesOf,
} from './config.js';
import {
  allFlags,
  type CommandName,
  type Config,
  type FlagName,
  type FlagTable,
  flagGroups,
  flagNames,
  flagOf,
  GATE_FLAGS,
  isCommandName,
  ownFlags,
  READING_FLAGS,
  SWITCHED_OFF,
  SWITCHED_ON,
  series,
  flags as serveTable,
  variableOf,
} from './flags.js';

/** A command with its paths and options, as its reader returns it (`readServe`), or the fault of a command line. */
export type Command =
  | ReturnType<
      | typeof readServe
      | typeof readCheck
      | typeof readDiff
      | typeof readBench
      | typeof readConvert
      | typeof readPush
      | typeof readTypes
    >
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' };

const wrong = (message: string) => ({ kind: 'wrong', message }) as const;

/** A command line without its command. */
interface Line {
  readonly paths: readonly string[];
  readonly flags: GivenFlags;
  /** The variables of flags that are not given. */
  readonly variables: GivenFlags;
  /** The values of all flags. */
  readonly config: Config;
}

interface CommandSyntax {
  /** The flags of `serve` that the command takes as well. */
  readonly flags: readonly FlagName[];
  /** Whether it has no dump by default. */
  readonly needsPath?: true;
  readonly read: (line: Line) => Command;
}

/** The flags of every command that reads dumps. */
const DUMP_FLAGS: readonly FlagName[] = [...READING_FLAGS, 'max-download', 'add-up'];

const commands: Readonly<Record<CommandName, CommandSyntax>> = {
  serve: { flags: flagNames, read: readServe },
  check: { flags: [...DUMP_FLAGS, 'snapshots', 'previous', ...GATE_FLAGS], read: readCheck },
  diff: { flags: DUMP_FLAGS, read: readDiff },
  convert: { flags: [...DUMP_FLAGS, 'html'], needsPath: true, read: readConvert },
  push: { flags: [...DUMP_FLAGS, 'html'], needsPath: true, read: readPush },
  types: { flags: [...DUMP_FLAGS, 'snapshots', 'html', 'envelope', 'extra'], read: readTypes },
  bench: { flags: flagNames.filter((name) => name !== 'open' && name !== 'from'), read: readBench },
};

/** The flags of `serve` that a command takes as well. */
export const flagsOf = (command: CommandName): readonly FlagName[] => commands[command].flags;
const takes = (command: CommandName, flag: string): boolean =>
  Object.hasOwn(ownFlags[command], flag) || commands[command].flags.some((name) => name === flag);

/** Advice for an operand that is no path: a command behind paths, `true` of `--watch true`, `help`, or nearly a command. */
export function operandHint(operand: string): string {
  if (isCommandName(operand)) return ' A command stands before all paths.';
  if ([...SWITCHED_ON, ...SWITCHED_OFF].includes(operand)) return ' A flag that is on or off takes no value.';
  if (Object.hasOwn(parseOptions, operand)) return ` Did you mean "--${operand}"?`;
  return didYouMean(operand, Object.keys(commands));
}

const parseOptions: NonNullable<ParseArgsConfig['options']> = {
  ...Object.fromEntries(
    Object.entries(allFlags).map(([name, { value, separator }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: separator !== undefined },
    ]),
  ),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a command line without the program's own name. */
export function readCommandLine(args: readonly string[], environment: Environment): Command {
  const parsed = { args: [...spellOutLog(args)], options: parseOptions, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs(parsed);
  const [first = ''] = positionals;
  const command = isCommandName(first) ? first : 'serve';
  const flags = new Map<string, GivenTexts>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName } = token;
    const flagValues = [values[name]].flat();
    const fault = flagFault(name, rawName, flagValues, { ...allFlags, ...ownFlags[command] });
    if (fault !== null) return wrong(fault);
    flags.set(name, { texts: flagValues.map(String), source: `--${name}` });
  }
  if (flags.has('help')) return { kind: 'help', command: isCommandName(first) ? first : null };
  if (flags.has('version')) return { kind: 'version' };
  const paths = command === first ? positionals.slice(1) : positionals;
  const stray = [...flags.keys()].find((name) => !takes(command, name));
  if (stray !== undefined) return wrong(strayText(stray, command));
  if (paths.length > 0 && flags.has('snapshots'))
    return wrong(
      `Name files and folders, or one folder with --snapshots, but not both: found ${quote(paths[0])} as well.`,
    );
  const isPlaceGiven = paths.length > 0 || flags.has('snapshots');
  const absent = flagsOf(command)
    .filter((name) => !flags.has(name))
    .filter((name) => !isPlaceGiven || !['snapshots', 'from'].includes(name));
  const variables = variablesOf(absent, environment);
  const config = valuesOf(serveTable, new Map([...flags, ...variables]));
  if (typeof config === 'string') return wrong(config);
  if ([...paths, ...config.previous].filter((path) => path === STANDARD_INPUT).length > 1)
    return wrong('Standard input is read once, and - is named more than once.');
  const { needsPath, read } = commands[command];
  if (needsPath && paths.length === 0)
    return wrong(`"${command}" takes a dump: a file, a folder, an address, or - for standard input.`);
  return read({ paths, flags, variables, config });
}

/** `--log` alone means text; a next word that is neither a flag nor a command is its value. */
function* spellOutLog(args: readonly string[]): Iterable<string> {
  for (const [i, arg] of args.entries()) {
    const next = args[i + 1] ?? '';
    yield arg === '--log' && (next === '' || next.startsWith('-') || isCommandName(next)) ? '--log=text' : arg;
  }
}

/** The fault of a flag, written as `spelling`, whose values are as `parseArgs` gives them: true where there is none. */
function flagFault(name: string, spelling: string, values: readonly unknown[], table: FlagTable): string | null {
  const spellings = Object.keys(parseOptions).map((option) => `--${option}`);
  if (!spellings.includes(`--${name}`))
    return `Unknown flag ${spelling}.${didYouMean(spelling, spellings)} See --help.`;
  const flag = table[name];
  const hasValue = values.every((value) => typeof value === 'string');
  if (hasValue && flag?.value === undefined) return `${spelling} takes no value. See --help.`;
  if (!hasValue && flag?.value !== undefined) return `${spelling} needs a value: ${flag.expected}.`;
  return null;
}

function strayText(flag: string, command: CommandName): string {
  const owners = Object.keys(commands).filter((name) => isCommandName(name) && takes(name, flag));
  const names = owners.map((name) => quote(name));
  return `--${flag} belongs to ${series(names, 'and')}, not to ${quote(command)}. See --help.`;
}

/** The variables of some flags. An empty one counts as none. */
function variablesOf(names: readonly FlagName[], environment: Environment): GivenFlags {
  const variables = new Map<string, GivenTexts>();
  for (const name of names) {
    const source = variableOf(name);
    const text = environment[source];
    const { separator } = flagOf(name);
    if (text) variables.set(name, { texts: separator === undefined ? [text] : text.split(separator), source });
  }
  return variables;
}

function placeIn({ paths, flags, variables, config }: Line): DumpPlace {
  const reading = readingIn(config);
  if (paths.length > 0) return { dir: paths.join(', '), paths, ...reading };
  const isNamed = flags.has('snapshots') || variables.has('snapshots');
  // The sample would pass the gates of a dump that is missing.
  const hasSample = !isNamed && !hasGates(gatesIn(config));
  return { dir: config.snapshots, ...reading, ...(hasSample && { sampleDir: fromPackage('snapshots/sample') }) };
}

/** Flags of files and gates are refused with `--from`: a database's records were read, and passed their gates, when they were pushed. */
function fromFault({ paths, flags, config }: Line) {
  if (config.from === undefined) return null;
  const ofFiles: readonly FlagName[] = [...(flagGroups['the dump'] ?? []), ...GATE_FLAGS, 'watch', 'engine'];
  const stray = ofFiles.find((name) => name !== 'from' && flags.has(name));
  if (paths.length === 0 && stray === undefined) return null;
  const strayArgument = stray === undefined ? quote(paths[0]) : `--${stray}`;
  return wrong(`--from serves what push copied, and reads no files: found ${strayArgument} as well.`);
}

function readServe(line: Line) {
  const { previous, history, watch, 'add-up': isAddedUp } = line.config;
  const fault = fromFault(line);
  if (fault !== null) return fault;
  if (history !== undefined && previous.length > 0)
    return wrong('--history has the earlier dumps: leave --previous out, or put its dump into the folder.');
  if (watch && line.paths.includes(STANDARD_INPUT))
    return wrong('--watch needs a file, a folder or an address: standard input is read once.');
  // Files beside other dumps add up, and so they do in the check that a start names.
  const addsUp = previous.length > 0 || (history !== undefined && line.paths.length > 0);
  return {
    kind: 'serve',
    config: line.config,
    place: placeIn(line),
    /** The variables that count, in place of flags. */
    variables: [...line.variables.values()].map(({ source }) => source),
    /** The flags that `check` takes as well, as they stand on a command line. */
    readingFlags: [...spelled([...READING_FLAGS, 'add-up'], line), ...(addsUp && !isAddedUp ? ['--add-up'] : [])],
  } as const;
}

function readCheck(line: Line) {
  const { flags, config } = line;
  return {
    kind: 'check',
    place: placeIn(line),
    isAddedUp: config['add-up'],
    previous: config.previous,
    gates: gatesIn(config),
    json: flags.has('json'),
  } as const;
}

function readConvert(line: Line) {
  const { flags } = line;
  const ownValues = valuesOf(ownFlags.convert, flags);
  if (typeof ownValues === 'string') return wrong(ownValues);
  const { to, fields, schema, collection } = ownValues;
  if (schema !== undefined && flags.has('to')) return wrong('--schema writes no records: leave --to out.');
  return {
    kind: 'convert',
    place: placeIn(line),
    isAddedUp: line.config['add-up'],
    to,
    /** All of them where it is undefined. */
    fields,
    schema,
    collection,
  } as const;
}

function readPush(line: Line) {
  const ownValues = valuesOf(ownFlags.push, line.flags);
  if (typeof ownValues === 'string') return wrong(ownValues);
  const { to, partitions, citus: isCitus } = ownValues;
  if (isCitus && partitions.length > 0) return wrong('--citus and --partitions are two ways to spread rows: name one.');
  if (to === undefined) return wrong(`"push" needs --to ADDRESS: ${ownFlags.push.to.expected}.`);
  return { kind: 'push', place: placeIn(line), isAddedUp: line.config['add-up'], to, partitions, isCitus } as const;
}

function readTypes(line: Line) {
  const { sampleDir: _, ...place } = placeIn(line);
  const { envelope, extra: hasAllFields, 'add-up': isAddedUp } = line.config;
  return { kind: 'types', place, isAddedUp, options: { envelope, hasAllFields } } as const;
}

function readDiff({ paths, flags, config }: Line) {
  if (paths.length === 0 || paths.length > 2)
    return wrong(
      `"diff" takes two dumps, an earlier and a later one, or a folder of dated dumps; received ${paths.map(quote).join(', ') || 'none'}.`,
    );
  const isAddedUp = config['add-up'];
  if (isAddedUp && paths.length === 1)
    return wrong('--add-up makes one dump of a folder, and "diff" takes two: name an earlier and a later one.');
  return { kind: 'diff', paths, ...readingIn(config), isAddedUp, json: flags.has('json') } as const;
}

/** The measurement starts `serve` with the same flags, and sets those that it needs. */
function readBench(line: Line) {
  if (line.paths.includes(STANDARD_INPUT))
    return wrong('"bench" starts the server several times, and standard input is read once: name a file.');
  const { paths, flags } = line;
  return { kind: 'bench', paths, flags: spelled(flagNames, line), json: flags.has('json') } as const;
}

/** The given ones of some flags, as a command line has them. */
const spelled = (names: readonly FlagName[], { flags }: Line): readonly string[] =>
  names.flatMap((name) => {
    const texts = flags.get(name)?.texts ?? [];
    return texts.map((text) => (flagOf(name).value === undefined ? `--${name}` : `--${name}=${text}`));
  });
