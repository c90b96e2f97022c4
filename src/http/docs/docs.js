/* The page's only script: it sends the forms with `fetch` and shows what comes back. Plain, for any browser. */

const SHOWN = 20000;

function urlOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('[name]')) {
    if (input.value === '') continue;
    if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else query.append(input.name, input.value);
  }
  const text = query.toString();
  return path + (text === '' ? '' : `?${text}`);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The request in each language that the page names. */
const snippets = {
  curl: (url) => `curl ${quoted(url)}`,
  fetch: (url, isText) => `const response = await fetch(${JSON.stringify(url)});
console.log(await response.${isText ? 'text' : 'json'}());`,
  python: (url, isText) => `import json
from urllib.request import urlopen

with urlopen(${JSON.stringify(url)}) as response:
    print(${isText ? 'response.read().decode()' : 'json.load(response)'})`,
};

function showSnippets(form) {
  const url = location.origin + urlOf(form);
  const isText = form.querySelector('[name=format]')?.value === 'csv';
  form.querySelector('.snippets').hidden = false;
  for (const [name, write] of Object.entries(snippets)) {
    form.querySelector(`[data-${name}]`).textContent = write(url, isText);
  }
}

/** Where the clipboard is out of reach, as on plain HTTP from another machine, the text is selected to be copied by hand. */
async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  let told = 'Copied';
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    document.getSelection().selectAllChildren(source);
    told = 'Press Ctrl+C';
  }
  const before = [...button.childNodes];
  button.setAttribute('aria-live', 'polite');
  button.replaceChildren(told);
  setTimeout(() => button.replaceChildren(...before), 2000);
}

/** As much of a body as is shown; the rest of a long download is not fetched. */
async function readStart(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), whole: true };
    text += decoder.decode(value, { stream: true });
    if (text.length > SHOWN) {
      await reader.cancel();
      return { text, whole: false };
    }
  }
}

function pretty({ text, whole }) {
  try {
    if (whole) text = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // No JSON: shown as it is.
  }
  return whole && text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}\n…`;
}

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function block(label, text) {
  const details = document.createElement('details');
  const pre = element('pre', text);
  pre.tabIndex = 0;
  details.append(element('summary', label), pre);
  return details;
}

async function send(form) {
  const result = form.querySelector('[data-result]');
  const url = urlOf(form);
  const started = performance.now();
  try {
    const response = await fetch(url);
    const body = await readStart(response);
    const took = (performance.now() - started).toFixed(0);
    const line = element('p', `${response.status} ${response.statusText}`, response.ok ? 'ok' : 'failed');
    line.append(element('span', `${took} ms`, 'took'));
    const link = element('a', 'open');
    link.href = url;
    line.append(link);
    const headers = block('Headers', [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'));
    const shown = block('Body', pretty(body));
    shown.open = true;
    result.replaceChildren(line, headers, shown);
  } catch (error) {
    result.replaceChildren(element('p', String(error), 'failed'));
  }
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}

for (const form of document.querySelectorAll('form[data-path]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  form.addEventListener('input', () => showSnippets(form));
  form.addEventListener('reset', () => setTimeout(() => showSnippets(form)));
  showSnippets(form);
}
for (const button of document.querySelectorAll('[data-copy]'))
  button.addEventListener('click', () => void copy(button));
addEventListener('hashchange', openTarget);
openTarget();
