#!/usr/bin/env node
/**
 * Which command runs, and how does the program end?
 * Takes: the arguments and variables of the process.
 * Gives: the one module that runs the command, loaded only then: `--help` needs no server. What nobody caught ends the process.
 * Skip: every command but `serve`; `config/flags.ts`, where each flag is an entry of one table.
 */
import { fileURLToPath } from 'node:url';
import { isAllocationFailure } from './arrays.js';
import { EXIT_USAGE, errorText, fail, say, textLines } from './commands/terminal.js';
import { readCommandLine } from './config/command-line.js';
import { version } from './config/config.js';

/** Runs the command, whose module is loaded only then: `--help` needs no server. */
async function main(): Promise<void> {
  const script = fileURLToPath(import.meta.url);
  const command = readCommandLine(process.argv.slice(2), process.env);
  switch (command.kind) {
    case 'help':
      return (await import('./commands/help.js')).help(command.command);
    case 'version':
      return say(version());
    case 'wrong':
      for (const line of textLines(command.message)) fail(line, EXIT_USAGE);
      return;
    case 'check':
      return (await import('./commands/check.js')).check(command, script);
    case 'diff':
      return (await import('./commands/diff.js')).diff(command);
    case 'convert':
      return (await import('./commands/convert.js')).convert(command);
    case 'push':
      return (await import('./commands/push.js')).pushCommand(command);
    case 'types':
      return (await import('./commands/types.js')).types(command, script);
    case 'bench':
      return (await import('./commands/bench.js')).bench(command, script);
    case 'serve':
      return (await import('./commands/serve.js')).serve(command, script);
  }
}

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of the server.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

/** Ends a process that cannot go on: nothing is left half open. */
function die(error: unknown): void {
  const message = isAllocationFailure(error)
    ? `There is not enough memory: ${error.message}.`
    : `Unexpected failure: ${errorText(error)}`;
  for (const line of textLines(message)) fail(line);
  process.exit();
}
process.on('uncaughtException', die);
main().catch(die);
