/** The page's style sheet: follows the reader's colour scheme, narrow and wide screens. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --back: #fdfdfc; --raised: #f3f3f0; --text: #1d1f21; --dim: #5a5f66; --line: #d8d8d2;
  --accent: #0b5cad; --good: #1a6b2f; --bad: #a4231c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #16181b; --raised: #1f2226; --text: #e6e6e3; --dim: #a3a8af; --line: #363a40;
    --accent: #7ab8ff; --good: #7fd391; --bad: #ff9d94;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; display: grid; gap: 0 2.5rem;
  grid-template: "head head" auto "nav main" 1fr / 16rem minmax(0, 1fr);
}
header { grid-area: head; max-width: 46rem; }
nav { grid-area: nav; font-size: .875rem; align-self: start; position: sticky; top: 1rem; max-height: 95vh; overflow-y: auto; }
main { grid-area: main; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem; }
h1 small { color: var(--dim); font-size: 1rem; font-weight: 400; }
h2 { font-size: 1.25rem; margin: 1.75rem 0 .75rem; }
main > section:first-child h2 { margin-top: 0; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
h4 { font-size: .875rem; margin: 1rem 0 .25rem; color: var(--dim); }
nav h2 { font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--dim); margin: 0 0 .25rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav a { display: block; padding: .1rem 0; text-decoration: none; overflow-wrap: anywhere; }
a { color: var(--accent); }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--back); padding: .25rem .5rem; }
code, pre, input, select { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875em; }
pre {
  background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; margin: .5rem 0;
  overflow: auto; max-height: 26rem;
}
.operation { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 .6rem; padding: 0 1rem; }
.operation[open] { padding-bottom: 1rem; }
.operation > summary { cursor: pointer; padding: .6rem 0; overflow-wrap: anywhere; }
.operation > summary code { font-weight: 600; font-size: .95rem; }
.method { color: var(--good); font-weight: 700; font-size: .8rem; }
.what { color: var(--dim); font-size: .875rem; margin-left: .5rem; }
.parameters { display: grid; gap: .75rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.field p { margin: .2rem 0 0; font-size: .78rem; line-height: 1.4; color: var(--dim); overflow-wrap: anywhere; }
.required { color: var(--bad); font-size: .75rem; }
input, select {
  width: 100%; padding: .35rem .5rem; border: 1px solid var(--dim); border-radius: 4px; background: var(--back);
  color: var(--text); font-size: .875rem;
}
input::placeholder { color: var(--dim); opacity: .8; }
.send { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0 .25rem; }
.curl { color: var(--dim); overflow-wrap: anywhere; flex: 1 1 20rem; }
button {
  font: inherit; font-size: .9rem; padding: .3rem 1rem; border-radius: 4px; border: 1px solid var(--accent);
  background: var(--accent); color: var(--back); cursor: pointer;
}
button[type=reset] { background: none; color: var(--accent); }
.result p { margin: .5rem 0; font-weight: 600; }
.result .ok { color: var(--good); }
.result .failed { color: var(--bad); }
.took { color: var(--dim); font-weight: 400; margin: 0 .75rem; }
.result summary { cursor: pointer; font-size: .875rem; color: var(--dim); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .15rem 1rem; margin: 0; font-size: .875rem; }
dt { font-weight: 600; font-variant-numeric: tabular-nums; }
dd { margin: 0; }
@media (max-width: 48rem) {
  body { display: block; padding: 1rem; }
  nav { position: static; max-height: none; border-block: 1px solid var(--line); padding: .75rem 0; margin: 1rem 0; columns: 2 12rem; }
  nav ul { break-inside: avoid; }
}
@media print { nav, .send, .skip { display: none; } body { display: block; } }
`;
