/** The server that is measured: the program itself, started with the user's own flags in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAX_REST_MS, memoryAtRest, memoryOf } from './process-stats.js';

/** Flags that a measurement needs. They stand behind the user's: of two equal flags the last one holds. */
const MEASUREMENT_FLAGS =
  '--port 0 --host 127.0.0.1 --rate-limit 0 --max-limit 1000 --envelope pagination --log off'.split(' ');

/** The exit code of a server that did not start; it has said why. */
export interface NotStarted {
  readonly exitCode: number;
}

/** The command line of the running program, by which it is started again. */
export interface ServerCommand {
  readonly execPath: string;
  readonly main: string;
  readonly paths: readonly string[];
  /** Flags of `serve`. */
  readonly flags: readonly string[];
  /** Ends the started processes. */
  readonly signal: AbortSignal;
}

/** Starts the program. The lines that it prints before it listens go to `onLine`. */
export async function startServer(
  { execPath, main, paths, flags, signal }: ServerCommand,
  onLine: (line: string) => void,
) {
  const startedAt = performance.now();
  const child = spawn(execPath, [main, 'serve', ...flags, ...MEASUREMENT_FLAGS, '--', ...paths], {
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
      if (!line.startsWith('open ')) onLine(line);
      continue;
    }
    const startMs = performance.now() - startedAt;
    child.stdout.resume();
    const pid = child.pid ?? 0;
    return {
      port,
      /** Milliseconds from the start of the process until it listens, and every address answers. */
      startMs,
      /** Memory at the peak of the start; null where the system has no such figure. */
      peakBytes: memoryOf(pid)?.peakBytes ?? null,
      /** Memory once it is level and the server idle; null where the system has no such figure. */
      async restBytes(onBusy: (line: string) => void): Promise<number | null> {
        const memory = await memoryAtRest(pid);
        if (memory?.isAtRest === false)
          onBusy(`the server is still busy after ${MAX_REST_MS / 1000} s, and is measured so`);
        return memory?.bytes ?? null;
      },
      end,
    };
  }
  const [exitCode] = await exit;
  const notStarted: NotStarted = { exitCode: Number(exitCode ?? 1) };
  return notStarted;
}
