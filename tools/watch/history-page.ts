import { type Html, html, received, textOf } from '../../conformance/report/html/escape.ts'
import { headOf, readOwn } from '../../conformance/report/html/page-head.ts'
import { badge, shapeSheet } from '../../conformance/report/html/shapes.ts'
import { BY_URGENCY } from '../../conformance/report/outcomes.ts'
import type { Outcome, Verdict } from '../../conformance/report/result.ts'
import { counted, duration, shortLine, thousands } from '../../conformance/report/visible.ts'
import type { Change, History, Round } from './history.ts'
import { wordOf } from './present-round.ts'
import { inBins, runsOf, type Timeline, timelinesOf } from './timeline.ts'

const MOST_BINS = 240
const MOST_ROWS = 200
const MOST_CHANGES = 200
const LONGEST = 300

const STYLE = `
.strip { display: block; width: 100%; height: 1.6rem; border-radius: 2px; }
.strip rect { fill: currentColor; }
td .strip { height: 1rem; }
td:has(.strip) { width: 40%; }
.n-absent { color: var(--line); }
`

/** The outcome in whose colour a verdict is shown. */
const SHAPES: Readonly<Record<Verdict, Outcome>> = {
  conforms: 'pass',
  'part passed': 'pass',
  'matches the baseline': 'warn',
  'does not conform': 'fail',
  'no verdict': 'harness-fault',
}

const urgencyOf = (outcome: Outcome | null): number =>
  outcome === null ? BY_URGENCY.length : BY_URGENCY.indexOf(outcome)

/** `2026-11-26 18:40 UTC` of an instant in ISO 8601. */
const minuteOf = (instant = ''): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`

/** One rectangle for each part of the time; `says` names it to a reader who cannot see it. */
const strip = (outcomes: readonly (Outcome | null)[], says: string): Html => {
  const bins = inBins(outcomes, MOST_BINS, urgencyOf)
  return html`<svg class="strip" viewBox="0 0 ${bins.length} 1" preserveAspectRatio="none" role="img" aria-label="${says}">${runsOf(
    bins,
  ).map(
    ({ item, at, length }) =>
      html`<rect class="${item === null ? 'n-absent' : `o-${item}`}" x="${at}" y="0" width="${length}" height="1"/>`,
  )}</svg>`
}

const roundsSection = (rounds: readonly Round[]): Html => {
  const good = rounds.filter(({ verdict }) => SHAPES[verdict] === 'pass').length
  const says = `${thousands(good)} of ${counted(rounds.length, 'round')} without a failure`
  return html`<section id="rounds"><h2>Rounds</h2><p class="soft">${says}; the newest one is on the right</p>
${strip(
  rounds.map(({ verdict }) => SHAPES[verdict]),
  says,
)}</section>`
}

const timelineRow = ({ scenario, version, outcomes, changed, reason }: Timeline): Html => {
  const now = outcomes.at(-1) ?? null
  return html`<tr><th scope="row"><code>${scenario}</code> ${version}<span class="under">${received(shortLine(reason, LONGEST))}</span></th>
<td>${now === null ? 'absent' : badge(now)}</td><td class="num">${changed}</td>
<td>${strip(outcomes, `${scenario} ${version}, ${counted(changed, 'change')}`)}</td></tr>`
}

const scenariosSection = (timelines: readonly Timeline[]): Html => {
  const left = timelines.length - MOST_ROWS
  return html`<section id="scenarios"><h2>Scenarios that failed or changed</h2>${
    timelines.length === 0
      ? html`<p class="empty">none</p>`
      : html`<table><thead><tr><th scope="col">scenario</th><th scope="col">now</th><th scope="col">changes</th><th scope="col">over time</th></tr></thead>
<tbody>${timelines.slice(0, MOST_ROWS).map(timelineRow)}</tbody></table>`
  }${left > 0 && html`<p class="soft">and ${counted(left, 'more scenario')}</p>`}</section>`
}

const changeRow = (
  rounds: readonly Round[],
  { round, scenario, version, before, after, reason }: Change,
) =>
  html`<tr><td class="time">${minuteOf(rounds[round - 1]?.started)}</td><th scope="row"><code>${scenario}</code> ${version}</th>
<td>${wordOf(before)} → ${wordOf(after)}</td><td>${received(shortLine(reason, LONGEST))}</td></tr>`

const changesSection = (rounds: readonly Round[], changes: readonly Change[]): Html => {
  const later = changes.filter(({ round, before }) => round > 1 || before !== null).toReversed()
  return html`<section id="changes"><h2>Changes</h2>${
    later.length === 0
      ? html`<p class="empty">none since the first round</p>`
      : html`<table><tbody>${later.slice(0, MOST_CHANGES).map((one) => changeRow(rounds, one))}</tbody></table>`
  }</section>`
}

const withoutVerdict = (rounds: readonly Round[]): Html | false => {
  const own = rounds.filter(({ verdict }) => verdict === 'no verdict').toReversed()
  return (
    own.length > 0 &&
    html`<section id="without"><h2>Rounds without a verdict</h2><table><tbody>${own
      .slice(0, MOST_ROWS)
      .map(
        ({ started, says }) =>
          html`<tr><td class="time">${minuteOf(started)}</td><td>${received(shortLine(says, LONGEST))}</td></tr>`,
      )}</tbody></table></section>`
  )
}

/** The history of a watch as one self-contained page without script. */
export function historyPage(history: History): string {
  const [rounds, changes] = [history.rounds(), history.changes()]
  const last = rounds.at(-1)
  const style = `${readOwn('page.css')}${STYLE}`
  const title = `${history.target}: history (Assay)`
  return textOf(html`<!doctype html>
<html lang="en">${headOf(title, last?.assay_version ?? '', { style })}
<body>${shapeSheet()}<div class="page"><header><p class="kind">Assay history</p><h1>${history.target}</h1>
${
  last !== undefined &&
  html`<p class="verdict">${badge(SHAPES[last.verdict], last.verdict)}</p>
<p class="lead">${counted(rounds.length, 'round')} from ${minuteOf(rounds[0]?.started)} to ${minuteOf(last.started)}; the last one took ${duration(last.seconds * 1000)}</p>`
}</header><main>
${roundsSection(rounds)}
${scenariosSection(timelinesOf(changes, rounds.length))}
${changesSection(rounds, changes)}
${withoutVerdict(rounds)}
</main></div></body></html>
`)
}
