/** The built pages in headless Chromium: what they ask for and complain about is recorded, other hosts are stubbed. */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PATIENCE } from './until.js';

/** The one without windows takes two thirds of the other's time. */
const PROGRAMS = ['chromium-headless-shell', 'chromium'];

function chromiumPath(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program)));
  return candidates.find((path) => existsSync(path) && isExecutable(path)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether tests in a browser can run; CI must have one. */
export function haveBrowser(): boolean {
  if (chromiumPath() !== null) return true;
  if (process.env.CI) throw new Error('CI needs chromium-headless-shell or chromium on the PATH, or CHROMIUM_PATH');
  console.warn('skipped: tests in a browser need chromium-headless-shell or chromium on the PATH, or CHROMIUM_PATH');
  return false;
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
    ],
  });

export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught exceptions, alerts. */
  readonly complaints: string[];
  /** Requests to other hosts: their resource type and address. */
  readonly foreign: string[];
  readonly close: () => Promise<void>;
}

const PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60"><rect width="40" height="60"/></svg>';

/** A tab of its own; pictures of other hosts are answered by a stub, anything else of theirs by nothing. */
export async function visit(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE.timeout);
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.route(
    (url) => url.origin !== new URL(base).origin,
    (route) => {
      const request = route.request();
      foreign.push(`${request.resourceType()} ${request.url()}`);
      if (request.resourceType() !== 'image') return route.abort();
      return route.fulfill({ contentType: 'image/svg+xml', body: PIXEL });
    },
  );
  return { page, complaints, foreign, close: () => context.close() };
}

/** How far the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The titles of the hits, in order. */
export const titles = (page: Page): Promise<string[]> => page.locator('.hit-link').allInnerTexts();
