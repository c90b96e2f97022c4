/** The script of `/docs`: it sends the forms with `fetch`, shows the responses, and writes each request in other languages. */
import { connectCopying } from './copy.js';

/** Bound on the shown characters of a body; the rest of a long download is not fetched. */
const MAX_BODY_CHARACTERS = 20_000;

function requestUrl(form: HTMLFormElement): string {
  let path = form.dataset.path ?? '';
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')) {
    if (field.value === '') continue;
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, () => encodeURIComponent(field.value));
    else query.append(field.name, field.value);
  }
  const text = query.toString();
  return path + (text === '' ? '' : `?${text}`);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The request in each language that the page names. */
const languages: Readonly<Record<string, (url: string, isText: boolean) => string>> = {
  curl: (url) => `curl ${quoted(url)}`,
  fetch: (url, isText) => `const response = await fetch(${JSON.stringify(url)});
console.log(await response.${isText ? 'text' : 'json'}());`,
  python: (url, isText) => `import json
from urllib.request import urlopen

with urlopen(${JSON.stringify(url)}) as response:
    print(${isText ? 'response.read().decode()' : 'json.load(response)'})`,
};

function showSnippets(form: HTMLFormElement): void {
  const url = location.origin + requestUrl(form);
  const isText = form.querySelector<HTMLSelectElement>('[name=format]')?.value === 'csv';
  const snippets = form.querySelector<HTMLElement>('.snippets');
  if (snippets) snippets.hidden = false;
  for (const [name, write] of Object.entries(languages)) {
    const code = form.querySelector(`[data-${name}]`);
    if (code) code.textContent = write(url, isText);
  }
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length <= MAX_BODY_CHARACTERS) continue;
    await reader.cancel();
    return cut(text);
  }
  return cut(laidOut(text + decoder.decode()));
}

const cut = (text: string): string =>
  text.length <= MAX_BODY_CHARACTERS ? text : `${text.slice(0, MAX_BODY_CHARACTERS)}\n…`;

/** JSON indented over several lines; any other text unchanged. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function element(name: string, text: string, className = ''): HTMLElement {
  const created = document.createElement(name);
  created.textContent = text;
  if (className !== '') created.className = className;
  return created;
}

function block(label: string, text: string, isOpen: boolean): HTMLElement {
  const details = document.createElement('details');
  details.open = isOpen;
  const pre = element('pre', text);
  pre.tabIndex = 0;
  details.append(element('summary', label), pre);
  return details;
}

async function send(form: HTMLFormElement, result: Element): Promise<void> {
  const url = requestUrl(form);
  const startedAt = performance.now();
  try {
    const response = await fetch(url);
    const body = await beginningOf(response);
    const line = element('p', `${response.status} ${response.statusText}`, response.ok ? 'ok' : 'failed');
    const link = document.createElement('a');
    link.textContent = 'open';
    link.href = url;
    line.append(element('span', `${(performance.now() - startedAt).toFixed(0)} ms`, 'took'), link);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    result.replaceChildren(line, block('Headers', headers, false), block('Body', body, true));
  } catch (error) {
    result.replaceChildren(element('p', String(error), 'failed'));
  }
}

function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-path]')) {
  const result = form.querySelector('[data-result]');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (result) void send(form, result);
  });
  form.addEventListener('input', () => showSnippets(form));
  form.addEventListener('reset', () => window.setTimeout(() => showSnippets(form)));
  showSnippets(form);
}
connectCopying();
addEventListener('hashchange', openTarget);
openTarget();
