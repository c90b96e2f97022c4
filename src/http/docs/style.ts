/** What the style sheet of all pages lacks for this one; its colours and controls are those. */
export const docsStyle = `html { scroll-padding-top: 1rem; }
.docs { --good: #1a6b2f; --bad: #a4231c; max-width: 84rem; display: grid; gap: 1.5rem 2.5rem; grid-template: "intro intro" auto "contents operations" 1fr / 16rem minmax(0, 1fr); }
@media (prefers-color-scheme: dark) { .docs { --good: #7fd391; --bad: #ff9d94; } }
.docs .intro { grid-area: intro; display: grid; gap: .6rem; max-width: 68ch; }
.docs .contents { grid-area: contents; font-size: .875rem; align-self: start; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; padding: 2px; }
.docs .operations { grid-area: operations; display: grid; gap: 2rem; grid-template-columns: minmax(0, 1fr); align-content: start; }
.docs h1 small { color: var(--soft); font-size: 1rem; font-weight: 400; letter-spacing: 0; }
.docs section > h2 { font-size: 1.35rem; margin-bottom: .75rem; }
.docs h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
.docs .operation h3 { font-size: .875rem; margin: 1.25rem 0 .35rem; color: var(--soft); }
.docs .contents h2 { font-size: .86rem; font-weight: 600; color: var(--soft); margin: 0 0 .25rem; }
.docs .contents h2::first-letter { text-transform: uppercase; }
.docs .contents ul { margin: 0 0 1rem; }
.docs .contents a { display: block; padding: .15rem 0; text-decoration: none; }
.docs .contents a:hover { text-decoration: underline; }
.docs pre { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; margin: .5rem 0; overflow: auto; max-height: 26rem; overflow-wrap: normal; }
.docs .operation { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); margin: 0 0 .6rem; padding: 0 1rem; }
.docs .operation[open] { padding-bottom: 1rem; }
.docs .operation > summary { padding: .6rem 0; }
.docs .operation > summary code { font-weight: 600; font-size: .95rem; }
.docs .method { color: var(--good); font-weight: 700; font-size: .8rem; }
.docs .what { color: var(--soft); font-size: .875rem; margin-left: .5rem; }
.docs .parameters { display: grid; gap: .75rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); padding-top: .25rem; }
.docs .field p { margin: .25rem 0 0; font-size: .8rem; line-height: 1.4; color: var(--soft); }
.docs .required { color: var(--bad); font-size: .75rem; }
.docs .field input, .docs .field select { width: 100%; font-family: var(--mono); font-size: .875rem; }
.docs .send { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0 .25rem; }
.docs .send button:not([type=reset]) { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
.docs .curl { color: var(--soft); flex: 1 1 20rem; min-width: 0; }
.docs .result p { margin: .5rem 0; font-weight: 600; }
.docs .result .ok { color: var(--good); }
.docs .result .failed { color: var(--bad); }
.docs .took { color: var(--soft); font-weight: 400; margin: 0 .75rem; }
.docs .result summary { font-size: .875rem; color: var(--soft); }
.docs dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .15rem 1rem; font-size: .875rem; }
.docs dt { font-weight: 600; font-variant-numeric: tabular-nums; }
@media (max-width: 55rem) {
  .docs { display: grid; grid-template: "intro" auto "contents" auto "operations" auto / minmax(0, 1fr); }
  .docs .contents { position: static; max-height: none; border-block: 1px solid var(--line); padding: .9rem 0 0; columns: 2 12rem; }
  .docs .contents ul { break-inside: avoid; }
  .docs .contents h2 { break-after: avoid; }
}
@media print { .docs { display: block; } .docs .contents, .docs .send { display: none; } }
`;
