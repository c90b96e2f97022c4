/**
 * How V8 is set while a start's threads read, and nothing is served yet: 200 MB of articles take 0.96 of the time with it.
 * Marking bit by bit keeps pauses short, which nobody waits for then; memory behind typed arrays comes and goes so fast
 * that it begins again and again. A function takes long to compile, for the second or two in which it runs, where many
 * others are compiled into it, where loops begin with a copy of themselves (loop peeling), and where objects that never
 * leave it are done without (escape analysis).
 */
import { setFlagsFromString } from 'node:v8';

/** What each is set to, and what V8 has it at. */
const SETTINGS = [
  ['--no-incremental-marking', '--incremental-marking'],
  ['--max-inlined-bytecode-size-cumulative=300', '--max-inlined-bytecode-size-cumulative=920'],
  ['--no-turbo-loop-peeling', '--turbo-loop-peeling'],
  ['--no-turbo-escape', '--turbo-escape'],
] as const;

/** Not before a thread has started: what V8 has compiled of Node's own modules counts for the settings that it was compiled with. */
export function hurry(): void {
  for (const [hasty] of SETTINGS) setFlagsFromString(hasty);
}

export function stopHurrying(): void {
  for (const [, usual] of SETTINGS) setFlagsFromString(usual);
}
