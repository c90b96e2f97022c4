/** Binds the address of a server, or says why it cannot be bound; and opens it in a browser. The modules that answer are loaded later. */
import { type Config, DEFAULT_HOST } from '../config/flags.js';
import { bind } from '../http/bind.js';
import type { RunningServer } from '../http/server.js';
import type { Slot } from './answer.js';
import { errorText, fail, say, warn } from './terminal.js';

/** A bound server. The modules that answer its requests are loaded by the first one, or after the start. */
export interface StartedServer {
  readonly url: string;
  /** Answers requests from now on. */
  readonly answer: () => Promise<RunningServer>;
}

/**
 * Listens, or says why the address cannot be bound. Some shells export a `HOST` that is the name of a compiler's target: such
 * a name is reported and not used.
 */
export async function startListening(
  config: Config,
  slot: Slot,
  isHostInherited: boolean,
): Promise<StartedServer | null> {
  const { port } = config;
  try {
    return await listenOn(config.host);
  } catch (error) {
    if (!isHostInherited || !NO_ADDRESS.includes(systemCode(error))) return failed(config.host, error);
  }
  say(`HOST=${config.host} is no address of this machine, and is left alone: --host names one.`);
  return listenOn(DEFAULT_HOST).catch((error: unknown) => failed(DEFAULT_HOST, error));

  async function listenOn(host: string): Promise<StartedServer> {
    let answering: Promise<RunningServer> | undefined;
    const bound = await bind({ host, port, onWaiting: () => void answer() });
    function answer(): Promise<RunningServer> {
      answering ??= import('./answer.js').then(({ startAnswering }) => startAnswering(bound, { config, slot, host }));
      return answering;
    }
    return { url: bound.url, answer };
  }
  function failed(host: string, error: unknown): null {
    fail(listenFault(error, host, port));
    return null;
  }
}

const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];
const systemCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

function listenFault(error: unknown, host: string, port: number): string {
  const code = systemCode(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use; choose another with --port, or 0 for a free one.`;
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this process has; choose one above 1023 with --port.`;
  if (NO_ADDRESS.includes(code))
    return `--host must be an address of this machine without a port, such as 127.0.0.1, received "${host}".`;
  return `Cannot listen on ${host}, port ${port}: ${errorText(error)}`;
}

/** The program that opens an address, by operating system. An address that `serve` makes needs no quoting in any of them. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...args: readonly string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
};

/** Whether a browser opens is no matter of the server: without one it goes on. */
export async function openInBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', (error) => warn(`--open: ${command} cannot be started (${error.message}); open ${url} yourself`))
    .unref();
}
