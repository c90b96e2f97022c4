/** Clients of the soak, each a process of its own (`http-clients.ts`), so that none waits for what the soak itself does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
const clients = fileURLToPath(new URL('./http-clients.js', import.meta.url));
export function client(...args) {
    const child = spawn(process.execPath, [clients, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
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
export async function probe(port, forMs) {
    const waits = JSON.parse(await client('probe', port, forMs).printed);
    return waits;
}
