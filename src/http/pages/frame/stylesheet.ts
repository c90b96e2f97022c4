/**
 * The one stylesheet: system fonts, one accent colour, light and dark by what the reader's system prefers. Longer than
 * other files since it has one subject. Scraped words of any length break rather than widen anything, and nothing
 * scraped turns the direction of its surroundings (`bdi`).
 */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f7f6f3; --surface: #fff; --raised: #fff; --ink: #1d2321; --soft: #59625e; --line: #dfddd6; --strong-line: #8b918d;
  --accent: #0b6b5d; --accent-ink: #fff; --tint: #e3f0ec; --pale: #d5d6d0; --mark: #ffe69a; --mark-ink: #1d2321; --warn: #8a3b12;
  --radius: 8px; --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  text-size-adjust: 100%; -webkit-text-size-adjust: 100%;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131715; --surface: #1a1f1d; --raised: #212826; --ink: #e6eae7; --soft: #a3ada8; --line: #2f3734; --strong-line: #79837e;
    --accent: #6cd2bb; --accent-ink: #0d1a17; --tint: #1f3a34; --pale: #38413e; --mark: #5c4a10; --mark-ink: #fff3cb; --warn: #f0a878;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
fieldset { border: 0; min-width: 0; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
a:not(:hover) { text-decoration-color: color-mix(in srgb, currentColor 35%, transparent); }
bdi { unicode-bidi: isolate; }
code { font-family: var(--mono); font-size: .86em; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 3px; padding: 0 1px; margin: 0 -1px; }
img { max-width: 100%; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus-visible, main:focus { outline: none; }
::selection { background: color-mix(in srgb, var(--accent) 30%, transparent); }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 9; background: var(--accent); color: var(--accent-ink); padding: .5rem 1rem; border-radius: 0 0 var(--radius) var(--radius); }
.skip:focus { top: 0; }
.none { color: var(--soft); }
.count, .badge { font-variant-numeric: tabular-nums; color: var(--soft); font-weight: 400; white-space: nowrap; }

/* Frame */
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .6rem clamp(.75rem, 3vw, 2rem); background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { display: inline-flex; align-items: center; gap: .55rem; font-weight: 650; letter-spacing: -.01em; color: var(--ink); text-decoration: none; padding: .25rem 0; }
.logo { width: 1.5rem; height: 1.5rem; border-radius: 6px; background: linear-gradient(#fff9 0 0) 50% 28%/60% 2px, linear-gradient(#fff9 0 0) 50% 46%/60% 2px, linear-gradient(#ffd166 0 0) 50% 65%/60% 3px, linear-gradient(#fff9 0 0) 30% 84%/36% 2px, #0b6b5d; background-repeat: no-repeat; }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem; margin-left: auto; }
.top nav a { color: var(--soft); text-decoration: none; padding: .25rem .65rem; border-radius: 99px; font-size: .94rem; }
.top nav a:hover { color: var(--ink); background: var(--ground); }
.top nav a[aria-current] { color: var(--accent); background: var(--tint); font-weight: 600; }
main { max-width: 100rem; margin: 0 auto; padding: clamp(.9rem, 2.4vw, 1.75rem) clamp(.75rem, 3vw, 2rem) 3rem; }
main h1 { font-size: clamp(1.45rem, 1.1rem + 1.4vw, 2rem); letter-spacing: -.02em; }

/* Controls */
input, select, button, .button { font: inherit; color: inherit; }
input:not([type="checkbox"], [type="range"]), select { background: var(--surface); border: 1px solid var(--strong-line); border-radius: 6px; padding: .3rem .5rem; min-width: 0; }
input::placeholder { color: var(--soft); opacity: 1; }
select { padding: .3rem .35rem; }
input[type="checkbox"] { accent-color: var(--accent); width: 1rem; height: 1rem; margin: 0; flex: none; }
button, .button { background: var(--raised); border: 1px solid var(--strong-line); border-radius: 6px; padding: .3rem .8rem; cursor: pointer; text-decoration: none; color: var(--ink); display: inline-block; line-height: 1.5; }
button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
.find button { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
.find button:hover { color: var(--accent-ink); filter: brightness(1.08); }
.js .list .apply { display: none; }
.find { position: relative; display: flex; gap: .5rem; }
.find input { flex: 1; padding: .6rem .9rem; font-size: 1.06rem; border-radius: var(--radius); }
.find input[type="search"]:focus { outline: 2px solid var(--accent); outline-offset: 0; border-color: var(--accent); }
.find button { padding-inline: 1.1rem; border-radius: var(--radius); }
.find kbd { display: none; }
.js .find kbd { position: absolute; right: 7.2rem; top: 50%; translate: 0 -50%; display: block; font: .8rem var(--mono); color: var(--soft); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px; padding: 0 .45rem; pointer-events: none; }
.find input:focus ~ kbd, .find input:not(:placeholder-shown) ~ kbd { display: none !important; }
summary { cursor: pointer; }
.tags { display: flex; flex-wrap: wrap; gap: .3rem; }
.tags a, .tags .more { display: inline-block; font-size: .82rem; line-height: 1.45; padding: .05rem .5rem; border-radius: 99px; border: 1px solid var(--line); color: var(--soft); text-decoration: none; }
.tags .more { border-color: transparent; padding-inline: .2rem; }
.tags .more a { border: 0; text-decoration: underline; }
.tags a:hover { border-color: var(--accent); color: var(--accent); }

/* List: filters beside hits, above them where there is no room */
.list { display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem; }
.list > h1 { font-size: 1.25rem; }
.filters { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); align-self: start; }
.filters > summary { padding: .55rem .9rem; font-weight: 600; }
.filters .badge { background: var(--accent); color: var(--accent-ink); border-radius: 99px; padding: 0 .5rem; font-size: .8rem; }
.groups { display: grid; gap: 1.35rem; padding: .35rem 1rem 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.groups legend { font-weight: 600; font-size: .92rem; padding: 0; margin-bottom: .35rem; }
.values li { display: flex; align-items: center; gap: .5rem; min-height: 1.75rem; font-size: .92rem; }
.values label { flex: 1; display: flex; justify-content: space-between; gap: .5rem; cursor: pointer; min-width: 0; padding: .1rem 0; }
.values label .name { min-width: 0; }
.values li:has(:checked) .name { font-weight: 600; color: var(--accent); }
.values details summary { font-size: .86rem; color: var(--accent); padding: .25rem 0; }
.values details ul { max-height: 16rem; overflow: auto; padding: 2px 4px 2px 2px; }
.values .other { width: 100%; margin-top: .35rem; font-size: .9rem; }
.plot { position: relative; padding-bottom: 1px; }
.histogram { display: block; width: 100%; height: 3.1rem; overflow: visible; border-bottom: 1px solid var(--strong-line); touch-action: pan-y; }
.js .plot .histogram { cursor: crosshair; }
.histogram .hit { fill: transparent; }
.histogram g:hover .hit { fill: var(--tint); }
.histogram .all { fill: var(--pale); }
.histogram .some { fill: var(--accent); }
.histogram .off { opacity: .22; }
.plot .slider { appearance: none; -webkit-appearance: none; position: absolute; left: -8px; right: -8px; bottom: -8px; width: calc(100% + 16px); height: 18px; margin: 0; background: none; pointer-events: none; }
.plot .slider::-webkit-slider-thumb { -webkit-appearance: none; pointer-events: auto; width: 18px; height: 18px; border-radius: 50%; background: var(--surface); border: 2px solid var(--accent); cursor: ew-resize; box-shadow: 0 1px 2px #0003; }
.plot .slider::-moz-range-thumb { pointer-events: auto; width: 14px; height: 14px; border-radius: 50%; background: var(--surface); border: 2px solid var(--accent); cursor: ew-resize; }
.plot .slider:focus-visible { outline: none; }
.plot .slider:focus-visible::-webkit-slider-thumb { outline: 2px solid var(--accent); outline-offset: 2px; background: var(--accent); }
.plot .slider:focus-visible::-moz-range-thumb { outline: 2px solid var(--accent); outline-offset: 2px; background: var(--accent); }
.bounds { display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; gap: .4rem; margin-top: .45rem; }
.js .bounds { margin-top: .8rem; }
.js .plot + .ends { padding-top: .6rem; }
.js .ends + .bounds { margin-top: .3rem; }
.bounds input { width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
.bounds [type="date"] { font-size: .82rem; padding-inline: .3rem; }
.constant { color: var(--soft); font-size: .9rem; }

.results { min-width: 0; display: grid; gap: .8rem; align-content: start; grid-template-columns: minmax(0, 1fr); }
main[aria-busy="true"] .results { opacity: .72; transition: opacity .15s .15s; }
.toolbar { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; justify-content: space-between; }
.toolbar h2 { font-size: 1rem; font-weight: 400; color: var(--soft); font-variant-numeric: tabular-nums; }
.toolbar .total { color: var(--ink); font-weight: 650; font-size: 1.12rem; }
.arrange { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; font-size: .9rem; color: var(--soft); }
.arrange select { color: var(--ink); }
.js .arrange label:has(#sort [value=""]:checked) + label { display: none; }
.layouts { display: flex; border: 1px solid var(--strong-line); border-radius: 6px; overflow: clip; }
.layouts a { padding: .3rem .7rem; text-decoration: none; color: var(--ink); background: var(--surface); }
.layouts a[aria-current] { background: var(--accent); color: var(--accent-ink); }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; font-size: .9rem; }
.chips a { display: inline-flex; gap: .35rem; align-items: center; padding: .15rem .7rem; border-radius: 99px; background: var(--tint); color: var(--ink); text-decoration: none; }
.chips .says { color: var(--soft); }
.chips .cross { font-size: 1.1em; line-height: 1; color: var(--accent); }
.chips a:hover { outline: 1px solid var(--accent); }
.chips .clear { background: none; color: var(--accent); text-decoration: underline; }

table { border-collapse: separate; border-spacing: 0; width: 100%; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
th { text-align: left; font-size: .82rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
th, td { padding: .5rem .65rem; vertical-align: top; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { position: sticky; top: 0; z-index: 1; background: var(--surface); border-bottom-color: var(--strong-line); }
thead th:first-child { border-top-left-radius: var(--radius); }
thead th:last-child { border-top-right-radius: var(--radius); }
thead a { color: inherit; text-decoration: none; display: inline-flex; gap: .3rem; align-items: baseline; }
thead a:hover { color: var(--accent); }
th[aria-sort] { color: var(--accent); }
.arrow { font-size: .85em; opacity: .55; }
th[aria-sort] .arrow { opacity: 1; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.date { white-space: nowrap; font-variant-numeric: tabular-nums; }
td { font-size: .92rem; }
td.author, td.category { max-width: 13rem; }
.results td:not(.lead) a { color: inherit; text-decoration-color: transparent; }
.results td:not(.lead) a:hover { color: var(--accent); text-decoration-color: currentColor; }
.results tbody tr:hover > td { background: color-mix(in srgb, var(--tint) 45%, transparent); }
.results tbody tr:has(.hit-link:focus-visible) > td { background: var(--tint); }
.lead { width: 50%; }
.results td.author, .results td.category { min-width: 8rem; }
.hit-link { font-size: 1rem; font-weight: 550; line-height: 1.35; text-decoration: none; }
.hit-link:hover { text-decoration: underline; }
.host { display: inline-block; font-size: .8rem; color: var(--soft); text-decoration: none; }
.host:hover { color: var(--accent); text-decoration: underline; }
.host::after { content: " ↗"; font-size: .85em; }
.snippet { font-size: .88rem; color: var(--soft); margin: .15rem 0 .1rem; line-height: 1.45; }
.lead .tags { margin-top: .3rem; }
.picture { width: 3.1rem; padding-right: 0; }
.cover { position: relative; display: grid; place-items: center; aspect-ratio: 2/3; width: 100%; overflow: clip; border-radius: 4px; background: var(--tint); border: 1px solid var(--line); }
.cover .blank { font-size: 1.3rem; font-weight: 650; color: var(--accent); }
.cover img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; color: transparent; background: var(--surface); }
.cover img.broken { display: none; }
td .cover { width: 2.25rem; }
.empty { background: var(--surface); border: 1px dashed var(--strong-line); border-radius: var(--radius); padding: 2.5rem 1.25rem; text-align: center; color: var(--soft); display: grid; gap: .4rem; }

.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(42%, 10.5rem), 1fr)); gap: 1.1rem .9rem; }
.card { display: flex; flex-direction: column; gap: .4rem; min-width: 0; }
.card .cover { box-shadow: 0 1px 3px #0002; }
.card .cover .blank { font-size: 3rem; }
.card .hit-link { font-size: .95rem; }
.card dl { display: flex; flex-wrap: wrap; gap: .1rem .7rem; font-size: .84rem; color: var(--soft); }
.card dl div { min-width: 0; }
.card dl a { color: inherit; text-decoration: none; }
.card dl a:hover { color: var(--accent); text-decoration: underline; }
.card dt { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.card .author { flex-basis: 100%; }
.card .price { font-weight: 650; color: var(--ink); }
.card .rating dd::before { content: "★ "; color: var(--accent); }

.pager { display: flex; flex-wrap: wrap; gap: .3rem .75rem; justify-content: space-between; align-items: center; }
.pager ol { display: flex; flex-wrap: wrap; gap: .2rem; }
.pager a, .pager .step, .way .step { display: inline-block; padding: .25rem .65rem; border-radius: 6px; text-decoration: none; font-variant-numeric: tabular-nums; }
.pager a:hover, .way a.step:hover { background: var(--tint); }
.pager a[aria-current] { background: var(--accent); color: var(--accent-ink); }
span.step, .gap { color: var(--soft); }
.gap { padding: .25rem .2rem; }
.take { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); font-size: .92rem; }
.take h2 { font-size: .92rem; font-weight: 600; margin-right: .25rem; }
.take details { min-width: 0; }
.take details[open] { flex-basis: 100%; }
.take summary { color: var(--accent); padding: .25rem 0; }
.take dl { display: grid; gap: .6rem; padding-top: .4rem; }
.take dt { font-size: .82rem; color: var(--soft); }
.take dd { display: flex; gap: .5rem; align-items: start; }
.take code { flex: 1; min-width: 0; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .6rem; }

/* Record */
.record { display: grid; gap: 1.25rem; max-width: 78rem; grid-template-columns: minmax(0, 1fr); }
.way { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: center; font-size: .94rem; }
.way .back { margin-right: auto; padding: .25rem 0; }
.way .back::before { content: "← "; }
.way .place { color: var(--soft); font-variant-numeric: tabular-nums; }
.record article { align-self: start; display: grid; gap: 1.25rem; align-content: start; grid-template-columns: minmax(0, 1fr); background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: clamp(1rem, 3vw, 2.25rem); }
.record h1 { font-size: clamp(1.4rem, 1rem + 2vw, 2.1rem); }
.facts { display: grid; gap: .1rem; }
.facts > div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .75rem; padding: .4rem 0; border-top: 1px solid var(--line); }
.facts dt { color: var(--soft); font-size: .88rem; padding-top: .08rem; }
.facts .price dd, .facts .rating dd, .facts .score dd, .facts .comments dd { font-variant-numeric: tabular-nums; font-weight: 600; }
.inert { color: var(--soft); }
.content { display: grid; gap: .9rem; max-width: 68ch; }
.content h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.content p { font-size: 1.06rem; line-height: 1.65; white-space: pre-line; }
.record article.pictured > .cover { max-width: 17rem; border-radius: 8px; }
.record article.pictured > .cover .blank { font-size: 5rem; }
.related { display: grid; gap: 1.4rem; align-content: start; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.related h2 { font-size: .95rem; margin-bottom: .5rem; }
.related ul { display: grid; gap: .45rem; font-size: .94rem; line-height: 1.4; }
.related ul.pictured { gap: .5rem; }
.related .pictured li { display: flex; gap: .6rem; align-items: center; }
.related .pictured .cover { width: 2rem; flex: none; }
.related .pictured .blank { font-size: .9rem; }
.related a { text-decoration: none; }
.related a:hover { text-decoration: underline; }
.alls { margin-top: .6rem; font-size: .86rem; color: var(--soft); display: flex; flex-wrap: wrap; gap: .1rem .7rem; }

/* Home */
.home { max-width: 84rem; display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
.version { color: var(--soft); margin-top: -.75rem; }
.collections { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.collection, .report { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: clamp(1rem, 2.5vw, 1.6rem); display: grid; gap: 1.1rem; align-content: start; grid-template-columns: minmax(0, 1fr); }
.collection h2 { font-size: 1.35rem; display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.collection h2 a { text-decoration: none; }
.collection h2 .count { font-size: 1.35rem; color: var(--ink); font-weight: 300; }
.collection h3 { font-size: .86rem; color: var(--soft); font-weight: 600; margin-bottom: .4rem; }
.shapes { display: grid; gap: 1.1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); }
.shapes figcaption { font-size: .86rem; color: var(--soft); font-weight: 600; margin-bottom: .3rem; }
.shapes .all { display: none; }
.ends { display: flex; justify-content: space-between; gap: .5rem; font-size: .8rem; color: var(--soft); font-variant-numeric: tabular-nums; padding-top: .2rem; }
.links { display: flex; flex-wrap: wrap; gap: .5rem; }
.links .button:first-child { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
.report h2 { font-size: 1.1rem; }
.report .scroll { overflow-x: auto; }
.report table { border: 0; border-radius: 0; background: none; }
.report thead th { position: static; }
.report td { font-size: .95rem; }
.report td.number:not(.some) { color: var(--soft); }
.report tbody th { color: var(--ink); font-size: .95rem; }
.report summary { color: var(--accent); }
.report li { font-size: .9rem; color: var(--soft); padding: .2rem 0 .2rem 1rem; }
.warning { color: var(--warn); }

/* Errors */
.error { max-width: 46rem; display: grid; gap: 1rem; padding-top: clamp(2rem, 8vh, 6rem); }
.error .status { font: 300 clamp(3rem, 12vw, 6rem)/1 var(--mono); color: var(--accent); letter-spacing: -.05em; }
.faults { display: grid; gap: .75rem; }
.faults div { border-left: 3px solid var(--accent); padding: .2rem 0 .2rem .9rem; }
.faults dt { font-weight: 600; }
.ways { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; padding-top: .5rem; }

@media (min-width: 62rem) {
  .list { grid-template-columns: 18rem minmax(0, 1fr); gap: 1rem 1.5rem; align-items: start; }
  .list > h1 { align-self: center; font-size: 1.6rem; }
  @supports selector(::details-content) {
    .filters::details-content { content-visibility: visible; block-size: auto; }
    .filters > summary { display: none; }
    .filters .groups { padding-top: .9rem; }
  }
  .groups { grid-template-columns: minmax(0, 1fr); }
  .record { grid-template-columns: minmax(0, 1fr) 19rem; column-gap: 2rem; }
  .record .way { grid-column: 1 / -1; }
  .record main, .related { grid-template-columns: minmax(0, 1fr); }
  .record article:only-of-type:last-child { grid-column: 1 / -1; }
}
@media (min-width: 40rem) {
  .record article.pictured { grid-template-columns: 15rem minmax(0, 1fr); column-gap: 2rem; }
  .record article.pictured > * { grid-column: 2; }
  .record article.pictured > .cover { grid-column: 1; grid-row: 1 / span 3; align-self: start; }
}
/* Rows as cards */
@media (max-width: 47.99rem) {
  .results table, .results tbody { display: block; }
  .results thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .results tbody tr { display: flex; flex-wrap: wrap; gap: .15rem .9rem; padding: .7rem .8rem; border-bottom: 1px solid var(--line); position: relative; }
  .results tbody tr:last-child { border-bottom: 0; }
  .results td { padding: 0; border: 0; }
  .results td.author, .results td.category { min-width: 0; }
  .results td.lead { flex: 1 0 100%; width: auto; padding-bottom: .2rem; }
  .results tr:has(.picture) { padding-left: 3.9rem; min-height: 5rem; }
  .results td.picture { position: absolute; left: .8rem; top: .8rem; }
  .results td:not(.lead, .picture) { font-size: .84rem; color: var(--soft); max-width: 100%; }
  .results td.number::before { content: attr(data-label) " "; text-transform: lowercase; }
  .find kbd { display: none !important; }
  .report th, .report td { padding-inline: .45rem; }
}
@media (max-width: 30rem) {
  .top nav { margin-left: -.5rem; }
  .list .find button { display: none; }
  .way .back { flex-basis: 100%; }
  .way .place { margin-right: auto; }
  .facts > div { grid-template-columns: 5rem minmax(0, 1fr); gap: .5rem; }
  .pager ol { order: 3; flex-basis: 100%; justify-content: center; }
}
@media (pointer: coarse) {
  .plot .slider, .plot .slider::-webkit-slider-thumb { height: 26px; }
  .plot .slider { bottom: -12px; }
  .plot .slider::-webkit-slider-thumb { width: 26px; }
  .js .bounds { margin-top: 1.1rem; }
  .values li { min-height: 2.25rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; scroll-behavior: auto !important; } }
@media (forced-colors: active) { .histogram .some { fill: Highlight; } .histogram .all { fill: GrayText; } }
@media print {
  :root { color-scheme: light; --ground: #fff; --surface: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --tint: #fff; --mark: #ffe69a; --mark-ink: #000; }
  .find input { border: 0; padding-left: 0; }
  .top nav, .find:has(:placeholder-shown), .find button, .find kbd, .home .find, .filters, .arrange, .pager, .take, .related, .way, .skip, .links, .chips .cross { display: none !important; }
  main, .record article, .collection, .report { padding: 0; border: 0; max-width: none; }
  .list, .record { display: block; }
  table { border: 0; }
  thead th { position: static; }
  tr, .card, figure { break-inside: avoid; }
  .content { max-width: none; }
  .content p { orphans: 3; widows: 3; }
}
`;
