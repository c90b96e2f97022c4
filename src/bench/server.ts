/** The server that is measured: the program itself, started with the user's own flags in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { memoryAtRest, memoryOf } from './process-stats.js';

/** What a measurement needs; the last of two equal flags holds. */
const FLAGS = ['--port', '0', '--host', '127.0.0.1', '--rate-limit', '0', '--max-limit', '1000'];
const FORMS = ['--envelope', 'pagination', '--log', 'off'];
const REST_MS = 15_000;

export interface Start {
  /** From the start of the process until it listens and every address answers. */
  readonly ms: number;
  /** Null where the system does not tell. */
  readonly peakBytes: number | null;
}

export interface Server {
  readonly port: number;
  readonly start: Start;
  /** Null where the system does not tell. */
  restBytes(): Promise<number | null>;
  end(): Promise<void>;
}

/** The exit code of a server that did not start; it has said why. */
export interface NotStarted {
  readonly exitCode: number;
}

/** How the program is started again. */
export interface Program {
  readonly execPath: string;
  readonly main: string;
  readonly paths: readonly string[];
  /** Those of `serve`. */
  readonly flags: readonly string[];
  /** Ends what was started. */
  readonly signal: AbortSignal;
}

/** Starts the program; what it prints on the way goes to `tell`. */
export async function startServer(
  { execPath, main, paths, flags, signal }: Program,
  tell: (line: string) => void,
): Promise<Server | NotStarted> {
  const startedAt = performance.now();
  const child = spawn(execPath, [main, 'serve', ...flags, ...FLAGS, ...FORMS, '--', ...paths], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
    killSignal: 'SIGKILL',
  });
  const exit = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const port = Number(/listening on http:.*:(\d+)\/?$/.exec(line)?.[1] ?? 0);
    if (port === 0) {
      if (!line.startsWith('open ')) tell(line);
      continue;
    }
    const ms = performance.now() - startedAt;
    child.stdout.resume();
    const pid = child.pid ?? 0;
    return {
      port,
      start: { ms, peakBytes: memoryOf(pid)?.peakBytes ?? null },
      restBytes: async () => (await memoryAtRest(pid, REST_MS))?.bytes ?? null,
      end,
    };
  }
  const [exitCode] = await exit;
  return { exitCode: Number(exitCode ?? 1) };
}
