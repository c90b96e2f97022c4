/** Flags of a bench, in one style for all of them: `--name VALUE`, `--help`, and exit code 2 where one is wrong. */
import { parseArgs } from 'node:util';

export interface Flag {
  /** The placeholder of the value in the help text; a flag without a value is on or off. */
  readonly value?: string;
  readonly description: string;
}

const EXIT_USAGE = 2;

/** The command line of a bench. */
export interface Usage<Name extends string> {
  /** The command without flags: `npm run bench -- http`. */
  readonly command: string;
  readonly description: string;
  readonly flags: Readonly<Record<Name, Flag>>;
  /** Arguments that are no flags. */
  readonly operand?: string;
  /** Lines behind the flags. */
  readonly notes?: string;
}

export interface Flags<Name extends string> {
  readonly operands: readonly string[];
  has(name: Name): boolean;
  text(name: Name, fallback: string): string;
  /** A positive whole number. */
  count(name: Name, fallback: number): number;
  /** Values between commas, each of them known; all where the flag is not given. */
  list<Value extends string>(name: Name, known: readonly Value[]): readonly Value[];
  /** Ends the process with what is wrong, and how it is right. */
  fail(message: string): never;
}

/** Reads the command line; `--help` and what is wrong end the process. */
export function readFlags<Name extends string>(usage: Usage<Name>, args = process.argv.slice(2)): Flags<Name> {
  const fail = (message: string): never => {
    console.error(`${message}\n\n${helpText(usage)}`);
    process.exit(EXIT_USAGE);
  };
  const { values, positionals } = parseFlags(usage, args, fail);
  if (values.help) {
    console.log(helpText(usage));
    process.exit();
  }
  const textOf = (name: Name): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    operands: positionals,
    has: (name) => values[name] !== undefined,
    text: (name, fallback) => textOf(name) ?? fallback,
    count(name, fallback) {
      const text = textOf(name);
      const value = text === undefined ? fallback : Number(text);
      return Number.isInteger(value) && value > 0
        ? value
        : fail(`--${name} must be a positive integer, received "${text}".`);
    },
    list<Value extends string>(name: Name, known: readonly Value[]) {
      const one = (text: string): Value =>
        known.find((value) => value === text) ?? fail(`--${name} takes ${known.join(', ')}, received "${text}".`);
      return textOf(name)?.split(',').map(one) ?? known;
    },
    fail,
  };
}

function parseFlags<Name extends string>(
  { flags, operand }: Usage<Name>,
  args: readonly string[],
  fail: (message: string) => never,
) {
  const options = Object.fromEntries(
    Object.entries<Flag>(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help },
      allowPositionals: operand !== undefined,
    });
    const all: Readonly<Record<string, string | boolean | undefined>> = values;
    return { values: all, positionals };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function helpText({ command, description, flags, operand, notes }: Usage<string>): string {
  const all: Readonly<Record<string, Flag>> = { ...flags, help: { description: 'this text' } };
  const lines = Object.entries(all).map(
    ([name, { value, description }]) => `  ${`--${name} ${value ?? ''}`.padEnd(22)} ${description}`,
  );
  const usage = `usage: ${[command, operand, '[flags]'].filter(Boolean).join(' ')}`;
  return [description, usage, '', ...lines, ...(notes === undefined ? [] : ['', notes])].join('\n');
}
