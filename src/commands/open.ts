/** `--open`: shows an address in the browser of the user. */
import { spawn } from 'node:child_process';
import { warn } from './terminal.js';

/** The program that opens an address, by operating system. An address that `serve` makes needs no quoting in any of them. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...args: readonly string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
};

/** Whether a browser opens is no matter of the server: without one it goes on. */
export function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', (error) => warn(`--open: ${command} cannot be started (${error.message}); open ${url} yourself`))
    .unref();
}
