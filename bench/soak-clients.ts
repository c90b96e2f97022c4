/** Clients of the soak, each a process of its own (`http-clients.ts`), so that none waits for what the soak itself does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const clients = fileURLToPath(new URL('./http-clients.js', import.meta.url));

export interface Client {
  /** Its last line. */
  readonly printed: Promise<string>;
  /** Lets it begin, and resolves once it has. */
  begin(): Promise<void>;
  end(): void;
}

export function client(...args: readonly (string | number)[]): Client {
  const child = spawn(process.execPath, [clients, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk));
  return {
    printed: once(child, 'close').then(() => text.trim().split('\n').at(-1) ?? ''),
    async begin() {
      child.stdin.write('\n');
      await once(child.stdout, 'data');
    },
    end: () => void child.stdin.write('\n'),
  };
}

/** Waits for lists, asked for by a process of its own. */
export async function probe(port: string, forMs: number): Promise<readonly number[]> {
  const waits: number[] = JSON.parse(await client('probe', port, forMs).printed);
  return waits;
}
