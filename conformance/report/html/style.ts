import { DEEPEST_INDENT } from './transcript/body.ts'

/** Wrapped lines of JSON are indented by two more characters than the line they continue. */
const HANGING = Array.from({ length: DEEPEST_INDENT + 1 }, (_, depth) => {
  const letters = depth * 2 + 2
  return `.i${depth} { padding-left: ${letters}ch; text-indent: -${letters}ch; }`
}).join('\n')

/**
 * The stylesheet of the page: system fonts, no images, light and dark according to the reader's setting, and print.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --wash: #f4f3f0; --line: #e0e0dc; --firm: #c9cac6;
  --ink: #1c2126; --soft: #5a636c; --link: #1d4f7c; --mark: #f6d9a8; --mark-ink: #3d2600;
  --pass: #1f6b48; --fail: #a3261d; --hang: #93480a; --blocked: #6f5700; --error: #5d3a97; --idle: #5a636c;
  --fail-wash: #fbf0ee;
  --sans: system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #1a1e22; --wash: #20252a; --line: #2d3339; --firm: #444c54;
    --ink: #e3e6e8; --soft: #9ba5ae; --link: #8fbfe8; --mark: #5c4213; --mark-ink: #ffe6b8;
    --pass: #74c69d; --fail: #f2958b; --hang: #e9a868; --blocked: #d8bf66; --error: #bda4f2; --idle: #9ba5ae;
    --fail-wash: #2a1d1c;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 6.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans); font-variant-numeric: tabular-nums; }
.page { max-width: 78rem; margin: 0 auto; padding: 3.5rem 2.5rem 6rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre { font-family: var(--mono); font-size: 0.86em; unicode-bidi: isolate; overflow-wrap: anywhere; }
code code { font-size: 1em; }
h1, h2, h3, h4, h5 { line-height: 1.25; font-weight: 600; margin: 0; }
h2 { font-size: 1.4rem; letter-spacing: -0.01em; margin: 4.5rem 0 0.4rem; }
h3 { font-size: 0.95rem; text-transform: capitalize; margin: 2rem 0 0.6rem; }
h4 { font-size: 0.95rem; margin: 2rem 0 0.6rem; }
h5 { font-size: 0.8rem; color: var(--soft); margin: 0 0 0.4rem; }
p { margin: 0 0 0.8rem; max-width: 46rem; }
ul.plain { list-style: none; margin: 0; padding: 0; }
.soft, .empty { color: var(--soft); font-weight: 400; }
.empty { font-style: italic; margin: 0; }
.num, .ms, .time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.ctl { font-family: var(--mono); font-size: 0.9em; color: var(--hang); border: 1px solid currentColor; border-radius: 2px; padding: 0 0.15em; margin: 0 1px; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; padding: 0.05em 0.1em; text-decoration: underline; text-underline-offset: 0.2em; }

.sheet { position: absolute; width: 0; height: 0; }
.shape { width: 1em; height: 1em; flex: none; align-self: center; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.badge { display: inline-flex; align-items: baseline; gap: 0.4em; white-space: nowrap; font-weight: 500; }
.o-pass { color: var(--pass); } .o-fail { color: var(--fail); } .o-hang, .o-warn { color: var(--hang); } .o-blocked { color: var(--blocked); }
.o-harness-fault { color: var(--error); } .o-skipped, .o-not-applicable, .o-observed, .o-waived { color: var(--idle); }

header .kind { color: var(--soft); margin-bottom: 0.3rem; }
h1 { font-size: 2.1rem; letter-spacing: -0.02em; overflow-wrap: anywhere; }
.verdict { display: flex; align-items: center; gap: 0.45rem; font-size: 1.5rem; font-weight: 600; letter-spacing: -0.01em; margin: 1.6rem 0 0.2rem; }
.lead { color: var(--soft); margin-bottom: 1.6rem; }
.proportions { display: block; width: 100%; height: 8px; border-radius: 2px; background: var(--line); }
.proportions rect { fill: currentColor; stroke: var(--paper); stroke-width: 2px; vector-effect: non-scaling-stroke; }
.totals { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem 2.2rem; padding: 0; margin: 1rem 0 2.4rem; }
.totals li { display: flex; flex-direction: column; }
.totals b { font-size: 1.5rem; font-weight: 600; line-height: 1.3; }
.totals .zero { opacity: 0.55; }
.totals .badge { font-size: 0.9rem; }
dl { margin: 0; } dd { margin: 0; }
.complaints { border-left: 3px solid var(--fail); padding: 0.1rem 0 0.1rem 1rem; margin: 0 0 1.8rem; }
.complaints h2 { font-size: 1rem; margin: 0 0 0.2rem; color: var(--fail); }
.complaints ul, .reasons { margin: 0; padding: 0 0 0 1.1rem; overflow-wrap: anywhere; }
.facts { border-top: 1px solid var(--line); }
.facts > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 1rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); }

nav { position: sticky; top: 0; z-index: 5; margin: 2.5rem -1rem 0; padding: 0.55rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); display: grid; gap: 0.45rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1.1rem; list-style: none; margin: 0; padding: 0; font-size: 0.9rem; }
nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.6rem; font-size: 0.82rem; }
.tools input[type=search] { flex: 1 1 12rem; min-width: 9rem; max-width: 20rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--firm); border-radius: 4px; padding: 0.25rem 0.5rem; }
.tools button, .rest button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--firm); border-radius: 4px; padding: 0.25rem 0.5rem; cursor: pointer; }
.tools button:hover, .rest button:hover { background: var(--wash); }
.boxes { flex: 0 1 auto; margin-right: auto; display: flex; flex-wrap: wrap; gap: 0.1rem 0.55rem; }
.boxes label { display: inline-flex; align-items: center; gap: 0.25rem; cursor: pointer; }
.boxes input { margin: 0; accent-color: var(--link); }

table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; font-weight: 400; padding: 0.55rem 1rem 0.55rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-size: 0.85rem; border-bottom-color: var(--firm); vertical-align: bottom; }
th .under { display: block; color: var(--soft); font-size: 0.88rem; }
.wide { overflow-x: auto; position: relative; }
.matrix .api, .matrix .cell, .matrix .none { width: 6.6rem; }
.matrix .cell a { color: inherit; text-decoration: none; display: block; } .matrix .cell a:hover { text-decoration: underline; }
.matrix .none { color: var(--soft); font-size: 0.85rem; }
.component { border: 1px solid var(--line); border-radius: 6px; background: var(--card); margin: 0 0 0.5rem; }
.component > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 1rem; padding: 0.75rem 1.2rem; border-radius: 6px; list-style: none; }
.component > summary::-webkit-details-marker { display: none; }
.component > summary:hover { background: var(--wash); }
.component[open] > summary { border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; }
.component > summary h3 { margin: 0; min-width: 13rem; text-transform: none; } .component > summary h3::first-letter { text-transform: uppercase; }
.component > summary > .soft { min-width: 9rem; }
.counts { display: flex; flex-wrap: wrap; gap: 0.1rem 1.4rem; margin-left: auto; font-size: 0.92rem; }
.component > .wide, .unexecuted > .wide { padding: 0 1.2rem; }
.component tbody tr:last-child > * { border-bottom: 0; }
.unexecuted > summary { padding: 0.65rem 1.2rem; color: var(--soft); } .unexecuted > summary:hover { color: var(--ink); }
.wide + .unexecuted > summary { border-top: 1px solid var(--line); }
.requirements .reason { width: 22rem; color: var(--soft); }
.by, .weakness { padding-left: 0.6em; } .weakness { color: var(--ink); font-weight: 500; }
.matrix tr.role th { padding-top: 1.6rem; font-weight: 600; text-transform: capitalize; border-bottom-color: var(--firm); }
.matrix tr.role .soft { text-transform: none; padding-left: 0.5rem; font-size: 0.88rem; }
.rest span { position: sticky; left: 0; color: var(--soft); } .rest button { margin-left: 0.6rem; font-size: 0.85rem; }
.matches { color: var(--link); } .matches:not(:empty) { padding: 0 0.6em; }
.unscripted { border-left: 3px solid var(--firm); padding-left: 1rem; margin-top: 1.8rem; }
.matrix tr:target th, .matrix tr:target td { background: var(--wash); }
.requirements .says { display: block; max-width: 40rem; }
.requirements .range { padding-left: 0.6em; } .requirements .range::before { content: "API "; }
.strength { width: 8rem; white-space: nowrap; color: var(--soft); }
.attention td:first-child { width: 9.5rem; } .attention .reason { max-width: 30rem; overflow-wrap: anywhere; }
.setup td:first-child { width: 6rem; }

.family { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 0.5rem; }
.family > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 1rem; padding: 0.75rem 1.2rem; border-radius: 6px; }
.family > summary:hover { background: var(--wash); }
.family > div { padding: 0.4rem 0.7rem 0.2rem; scroll-margin-top: 5.4rem; }
.matrix .cell .badge + .badge { margin-left: 0.7em; }
.scenario { border: 1px solid var(--line); border-radius: 6px; background: var(--card); margin: 0 0 0.5rem; }
summary { cursor: pointer; }
.scenario > summary { display: grid; grid-template-columns: 9rem minmax(0, 1fr) 4rem 4.5rem; gap: 1rem; align-items: baseline; padding: 0.75rem 1.2rem; list-style: none; border-radius: 6px; }
.scenario > summary::-webkit-details-marker { display: none; }
.scenario > summary:hover { background: var(--wash); }
.scenario[open] > summary { border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; }
.names { display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; align-items: baseline; }
.names .title { font-weight: 500; } .names .id { color: var(--soft); }
.names .why { flex-basis: 100%; color: var(--soft); overflow-wrap: anywhere; font-size: 0.92rem; }
.scenario > summary .ms { text-align: right; color: var(--soft); }
.inside { padding: 1.2rem 1.2rem 1.6rem; scroll-margin-top: 5.4rem; }
.about { display: grid; grid-template-columns: 7.8rem minmax(0, 1fr); gap: 0.5rem 1rem; }
.about li span { color: var(--soft); padding-left: 0.5em; }
.about a, .req { font-family: var(--mono); font-size: 0.86em; } .about a code { font-size: 1em; }
.command { display: block; background: var(--wash); border-radius: 4px; padding: 0.4rem 0.6rem; user-select: all; }

.checks td, .checks th { padding: 0.5rem 1rem 0.5rem 0; }
.checks .mark { width: 9.6rem; } .checks .mark .badge { white-space: normal; } .checks .mark .shape { align-self: flex-start; margin-top: 0.28em; } .checks .at { width: 5.5rem; white-space: nowrap; padding-right: 0; }
.checks th[scope=row] { width: 20rem; } .checks td[data-label] { width: 26%; }
.checks .what, .entry-checks .what { display: inline-block; padding-right: 0.6em; }
.checks .req { color: var(--soft); }
.checks a.req { color: var(--link); }
.broke td, .broke th { background: var(--fail-wash); }
.broke td:first-child { box-shadow: inset 3px 0 0 var(--fail); padding-left: 0.8rem; }
.warned td, .warned th, .excused td, .excused th { background: var(--wash); }
.warned td:first-child, .excused td:first-child { box-shadow: inset 3px 0 0 var(--firm); padding-left: 0.8rem; }
.exemption { display: block; color: var(--soft); font-size: 0.88rem; overflow-wrap: anywhere; }
.observed { margin-top: 2rem; border-left: 3px solid var(--firm); padding-left: 1.1rem; }
.observed h4 { margin-top: 0; margin-bottom: 0.2rem; }

.transcript { list-style: none; margin: 0; padding: 0; }
.entry, .lanes { display: grid; grid-template-columns: 4.6rem 6.3rem minmax(0, 1fr); gap: 0 0.7rem; }
.lanes { max-width: none; color: var(--soft); font-size: 0.72rem; margin: 0; }
.rail-names { display: grid; grid-template-columns: repeat(3, 1fr); text-align: center; }
.entry > .time, .lanes > .time { text-align: right; color: var(--soft); font-size: 0.82rem; padding-top: 0.62rem; }
.lanes > .time { font-size: inherit; padding: 0; }
.rail { display: grid; grid-template-columns: repeat(3, 1fr); justify-items: center; }
.rail i { position: relative; width: 1px; height: 100%; background: var(--line); }
.lane-wire .rail i:nth-child(1)::after, .lane-tpm .rail i:nth-child(2)::after, .lane-note .rail i:nth-child(3)::after { content: ""; position: absolute; top: 0.85rem; left: -4px; width: 9px; height: 9px; background: var(--ink); border-radius: 50%; }
.lane-tpm .rail i:nth-child(2)::after { border-radius: 1px; }
.lane-note .rail i:nth-child(3)::after { background: var(--card); border: 1.5px solid var(--soft); }
.card { padding: 0.25rem 0; min-width: 0; }
.head { display: grid; grid-template-columns: 0.5rem 1.3rem 2.4rem minmax(0, 1fr) auto 3.6rem; gap: 0 0.7rem; align-items: baseline; padding: 0.3rem 0.5rem; border-radius: 4px; margin: 0; max-width: none; }
.head::before { content: ""; width: 0; height: 0; align-self: start; margin-top: 0.5em; }
summary.head { list-style: none; } summary.head::-webkit-details-marker { display: none; }
summary.head:hover { background: var(--wash); }
summary.head::before { border: 4px solid transparent; border-left-color: var(--soft); border-right: 0; }
details[open] > summary.head::before { transform: rotate(90deg); }
.number { color: var(--soft); font-size: 0.82rem; text-align: right; }
.lane { color: var(--soft); font-size: 0.82rem; }
.summary-text { min-width: 0; overflow-wrap: anywhere; }
.note-text .summary-text { grid-column: 4 / -1; font-size: 0.95em; }
.lane-wire .summary-text, .lane-tpm .summary-text { font-family: var(--mono); font-size: 0.86em; }

.answered { font-family: var(--mono); font-size: 0.86em; font-weight: 600; } .answered::before { content: "→ "; color: var(--soft); font-weight: 400; }
.peer { grid-column: 4; grid-row: 2; color: var(--soft); font-size: 0.88rem; overflow-wrap: anywhere; }
.head .ms { grid-column: 6; grid-row: 1; text-align: right; color: var(--soft); font-size: 0.82rem; }
.inside-entry { border: 1px solid var(--line); border-radius: 4px; margin: 0.3rem 0 0.6rem; padding: 0.9rem 1rem; background: var(--paper); }
.entry:target .head { background: var(--wash); }
.tls { max-width: none; color: var(--soft); font-size: 0.9rem; } .digest { font-size: 0.82em; }
.halves { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.6rem; }
.headers { font-family: var(--mono); font-size: 0.78rem; line-height: 1.5; margin-bottom: 0.6rem; }
.headers > div { overflow-wrap: anywhere; } .headers dt, .headers dd { display: inline; } .headers dt::after { content: ": "; }
.status { color: var(--ink); }
.failure { color: var(--hang); }
pre { margin: 0 0 0.4rem; padding: 0.6rem 0.75rem; background: var(--wash); border-radius: 4px; font-size: 0.78rem; line-height: 1.5; white-space: pre-wrap; }
.fold pre { max-height: 32rem; overflow: auto; }
.line { display: block; }
${HANGING}
.name { color: var(--link); }
.fold > summary { color: var(--soft); font-size: 0.86rem; padding: 0.15rem 0; } .fold > summary:hover { color: var(--ink); }
.entry-checks { list-style: none; margin: 0 0 0.4rem; padding: 0 0 0 6.3rem; font-size: 0.88rem; }
.entry-checks li { display: flex; flex-wrap: wrap; gap: 0 0.6rem; } .entry-checks .req { color: var(--soft); }
.legend > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 1rem; padding: 0.35rem 0; }
#legend h3 { text-transform: none; }
.legend { margin: 0.6rem 0 1.4rem; } .legend dd { color: var(--ink); }

@media screen and (max-width: 46rem) {
  body { font-size: 14.5px; }
  .page { padding: 1.6rem 1rem 4rem; }
  h1 { font-size: 1.6rem; } h2 { margin-top: 3.2rem; }
  .totals { gap: 0.6rem 1.6rem; }
  .facts > div, .legend > div, .about { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .about dt { margin-top: 0.6rem; }
  nav { position: static; margin: 1.5rem 0 0; padding: 0.55rem 0; }
  html { scroll-padding-top: 0.5rem; }
  .matrix th[scope=row], .matrix tr.role th { position: sticky; left: 0; background: var(--paper); min-width: 11rem; max-width: 13rem; overflow-wrap: anywhere; z-index: 1; }
  .matrix .api, .matrix .cell, .matrix .none { width: auto; min-width: 5.2rem; }
  .scenario > summary { grid-template-columns: minmax(0, 1fr) auto auto; padding: 0.7rem 0.9rem; gap: 0.2rem 0.8rem; }
  .names { grid-column: 1 / -1; grid-row: 2; flex-direction: column; }
  .inside { padding: 0.9rem; }
  .attention thead, .checks thead, .setup thead { display: none; }
  .attention tr, .checks tr, .setup tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .attention td, .attention th, .checks td, .checks td[data-label], .checks th, .checks th[scope=row], .setup td, .setup th { display: block; width: auto; border: 0; padding: 0.1rem 0; max-width: none; }
  .attention td:first-child, .checks .mark, .setup td:first-child { width: auto; }
  .checks td[data-label]::before { content: attr(data-label); display: inline-block; min-width: 5.2rem; color: var(--soft); font-size: 0.85rem; }
  .broke { background: var(--fail-wash); box-shadow: inset 3px 0 0 var(--fail); } tr.broke { padding-left: 0.8rem; }
  .broke td, .broke th { background: none; } .broke td:first-child { box-shadow: none; padding-left: 0; }
  .warned, .excused { background: var(--wash); box-shadow: inset 3px 0 0 var(--firm); } tr.warned, tr.excused { padding-left: 0.8rem; }
  .warned td, .warned th, .excused td, .excused th { background: none; } .warned td:first-child, .excused td:first-child { box-shadow: none; padding-left: 0; }
  .component > summary { padding: 0.7rem 0.9rem; } .component > .wide, .unexecuted > .wide { padding: 0 0.9rem; } .unexecuted > summary { padding: 0.65rem 0.9rem; }
  .counts { margin-left: 0; flex-basis: 100%; }
  .component > summary h3 { min-width: 0; flex-basis: 100%; }
  .component .matrix th[scope=row] { background: var(--card); }
  .unexecuted thead { display: none; }
  .unexecuted tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .unexecuted td, .unexecuted .matrix th[scope=row] { display: block; position: static; width: auto; max-width: none; border: 0; padding: 0.1rem 0; }
  .requirements .reason { width: auto; }
  .attention .num::before { content: "API "; color: var(--soft); }
  .halves { grid-template-columns: minmax(0, 1fr); }
  .lanes { display: none; }
  .entry { grid-template-columns: 1.7rem minmax(0, 1fr); gap: 0 0.5rem; }
  .entry > .time { grid-column: 2; grid-row: 1; text-align: left; padding: 0.4rem 0 0 0.5rem; }
  .rail { grid-column: 1; grid-row: 1 / span 2; } .card { grid-column: 2; padding-top: 0; }
  .rail i::after { top: 0.65rem !important; }
  .head { grid-template-columns: 0.5rem auto auto minmax(0, 1fr) auto; gap: 0.1rem 0.5rem; padding: 0.2rem 0.3rem; }
  .summary-text, .note-text .summary-text { grid-column: 2 / -1; grid-row: 2; } .answered { grid-column: 2 / -1; grid-row: 3; }
  .peer { grid-column: 2 / -1; grid-row: 4; } .head .ms { grid-column: 5; }
  .entry-checks { padding-left: 1.3rem; }
}
@media print {
  :root { --paper: #fff; --card: #fff; }
  body { font-size: 10pt; } .page { max-width: none; padding: 0; }
  nav { display: none; }
  .halves { grid-template-columns: minmax(0, 1fr); }
  .checks th[scope=row] { width: 14rem; }
  .matrix .api, .matrix .cell, .matrix .none { width: 5.5rem; }
  a { color: inherit; text-decoration: none; }
  tr, .entry > .time, summary, .facts > div { break-inside: avoid; }
  h2, h3, h4, thead { break-after: avoid; }
  pre { max-height: none; overflow: visible; }
  .broke td, .broke th, mark, .proportions, .rail i, .rail i::after { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
