/** Starts that are given too little memory: each ends with one line and exit code 1, unless the engine itself gets none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Target } from './measure.js';
import { MAIN } from './processes.js';
import { articlesFolder } from './soak-common.js';

/** For the data of the process, in megabytes (`ulimit -d`, in kilobytes). */
const LIMITS_MB = Array.from({ length: 12 }, (_, i) => 140 + i * 10);

async function startWithin(limitMb: number): Promise<'one line' | 'served' | 'otherwise'> {
  const script = `ulimit -d ${limitMb * 1000}; exec "$0" "$@"`;
  const server = [process.execPath, MAIN, '--snapshots', articlesFolder(), '--port', '0', '--quiet'];
  const child = spawn('sh', ['-c', script, ...server], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 });
  let errorText = '';
  child.stderr.on('data', (text: Buffer) => (errorText += text));
  child.stdout.on('data', () => child.kill());
  const [code, signal] = await once(child, 'close');
  if (code === 1 && /^.*not enough memory.*\n$/.test(errorText)) return 'one line';
  if (code === 0 || signal === 'SIGTERM') return 'served';
  console.log(
    `with ${limitMb} MB: ${code ?? signal}, ${
      errorText
        .trim()
        .split('\n')
        .find((line) => line.includes('FATAL')) ?? errorText.slice(0, 200)
    }`,
  );
  return 'otherwise';
}

export async function limits(): Promise<readonly Target[]> {
  const outcomes: string[] = [];
  for (const limit of LIMITS_MB) outcomes.push(await startWithin(limit));
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  const failed = outcomes.length - count('served');
  return [
    {
      what: `starts with ${LIMITS_MB[0]} to ${LIMITS_MB.at(-1)} MB that had too little memory and ended with one line and exit code 1 (the engine aborts where it gets none itself)`,
      found: `${count('one line')} of ${failed}`,
      wanted: 'all',
      holds: count('one line') === failed,
    },
  ];
}
