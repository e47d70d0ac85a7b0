import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { STANDING_ROWS, STANDINGS } from '../diff/standing.ts'
import { OUTCOME_ROWS } from '../outcomes.ts'
import type { RequirementResult } from '../requirement-result.ts'
import { OUTCOMES, type RunResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { HOSTILE, sampleTranscripts } from '../testing/sample-scenarios.ts'
import { Transcripts } from '../transcripts/transcripts.ts'
import { visible } from '../visible.ts'
import { pageOf } from './page.ts'

const page = pageOf(sampleResult(), sampleTranscripts())

const attributesNamed = (name: string): readonly string[] =>
  [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

const detailsOf = (id: string, version: string): string => {
  const start = page.indexOf(`id="s-verifier-${version}-${id}"`)
  return page.slice(start, page.indexOf('<details class="scenario"', start))
}

test('the page loads no external resource', () => {
  expect(attributesNamed('href').filter((target) => !target.startsWith('#'))).toEqual([])
  expect(page.replaceAll('data-', '')).not.toMatch(
    /<[^>]* (?:src|srcset|action|data|poster|xlink:href|style)=/,
  )
  expect(page).not.toMatch(/<(?:link|base|iframe|object|embed|img|video|audio)\b/)
  expect(page.slice(page.indexOf('<style>'), page.indexOf('</style>'))).not.toMatch(/url\(|@import/)
})

test('the policy allows only this stylesheet and this script', () => {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect(/http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]).toBe(
    `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`,
  )
})

test('the page has one script and no event handler attribute', () => {
  expect(page.match(/<script(?! type="application\/json")/g)).toEqual(['<script'])
  expect(page).not.toMatch(/<[^>]+ on[a-z]+=/)
  expect(page).not.toContain('javascript:')
})

test('markup from a hostile subject is shown as text', () => {
  expect(HOSTILE).toContain('<script>alert(1)</script>')
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toContain('{{')
  expect(visible(page)).toBe(page)
})

test('every link has exactly one target in the page', () => {
  const ids = attributesNamed('id')
  expect(new Set(ids).size).toBe(ids.length)
  const targets = attributesNamed('href').map((target) => target.slice(1))
  expect(targets.filter((target) => !ids.includes(target))).toEqual([])
})

test('every opened element is closed', () => {
  const counted = (pattern: RegExp): number => page.match(pattern)?.length ?? 0
  for (const name of [
    'details',
    'summary',
    'table',
    'tbody',
    'tr',
    'td',
    'th',
    'div',
    'section',
    'ul',
    'ol',
    'li',
    'dl',
    'p',
    'span',
    'pre',
    'code',
  ]) {
    expect(counted(new RegExp(`<${name}[ >]`, 'g')), name).toBe(
      counted(new RegExp(`</${name}>`, 'g')),
    )
  }
})

test('the page begins with the verdict, and its facts have target, seed, document digest and times', () => {
  const header = headerOf(sampleResult())
  const { interface_sha256, seed, started_at, finished_at } = sampleResult()
  for (const fact of [
    'Does not conform',
    'registrar 2.4–3.0, verifier pull 2.4–2.5 without polling',
    'vendor.yaml',
    seed,
    interface_sha256,
    started_at,
    finished_at,
  ]) {
    expect(header).toContain(fact)
  }
})

test('a cell of the matrix has a shape, a word and a link', () => {
  expect(page).toContain(
    '<td class="cell o-fail"><a href="#s-verifier-3.0-push.evidence.nonce-replayed"><span class="badge o-fail"><svg class="shape" aria-hidden="true"><use href="#shape-fail"/></svg>fail</span></a></td>',
  )
})

test('a scenario that did not run under a version is marked as not run', () => {
  const row = page.slice(page.indexOf('registrar.<wbr>answer.<wbr>hostile'))
  expect(row.slice(0, row.indexOf('</tr>')).match(/did not run/g)).toHaveLength(2)
})

test('a failed check shows expected and received with the difference marked', () => {
  const failing = detailsOf('push.evidence.nonce-replayed', '3.0')
  expect(failing).toContain(
    '<td data-label="expected"><code><mark>broken_evidence_chain</mark></code></td>',
  )
  expect(failing).toContain(
    '<td data-label="received"><code><mark>policy_violation</mark></code></td>',
  )
})

test('a check links to its exchange, which is open if the check did not hold', () => {
  const failing = detailsOf('push.evidence.nonce-replayed', '3.0')
  const anchor = 's-verifier-3.0-push.evidence.nonce-replayed-entry-7'
  expect(failing).toContain(`<a href="#${anchor}">entry&nbsp;7</a>`)
  expect(failing.slice(failing.indexOf(`id="${anchor}"`))).toMatch(/^[\s\S]{0,300}<details open>/)
  expect(failing.match(/<details open>/g)).toHaveLength(1)
})

test('an exchange without a client certificate shows that', () => {
  expect(detailsOf('push.evidence.accepted', '3.0')).toContain('no client certificate shown')
})

test('an exchange without a response shows the reason', () => {
  const silent = detailsOf('push.session.silent', '3.0')
  expect(silent).toContain('no answer before the deadline of 20 s')
})

test('a long body is folded with its length, and complete', () => {
  const [failed] = sampleResult().scenarios.filter((one) => one.outcome === 'fail')
  const entry = failed && sampleTranscripts().of(failed)[0]
  if (failed === undefined || entry?.lane !== 'wire') throw new Error('the sample has changed')
  const request = { ...entry.request, body: `{"entries":"${'A'.repeat(200_000)}Z"}` }
  const transcripts = new Transcripts('all')
  transcripts.keep(failed, [{ ...entry, request }])
  const text = pageOf(sampleResult([failed]), transcripts)
  expect(text).toContain('<summary>JSON body, 200,020 characters</summary>')
  expect(text).toContain(`${'A'.repeat(200_000)}Z`)
})

test('for a scenario without a kept transcript the page shows how to repeat it', () => {
  const [passed] = sampleResult().scenarios.filter((one) => one.outcome === 'pass')
  if (passed === undefined) throw new Error('the sample has changed')
  const dropped = { ...passed, transcript: { entries: 12, kept: false } }
  const text = pageOf(sampleResult([dropped]), new Transcripts('notable'))
  expect(text).toContain('12 entries were recorded and not kept')
  expect(text).toContain(`<code class="command">${passed.repeat}</code>`)
  expect(text).toContain('<span class="soft">entry&nbsp;1</span>')
})

/** The header and the facts of the run. */
const headerOf = (result: RunResult): string => {
  const whole = pageOf(result, sampleTranscripts())
  const facts = whole.slice(
    whole.indexOf('<section id="facts">'),
    whole.indexOf('<section id="matrix">'),
  )
  return `${whole.split('</header>')[0]}${facts}`
}

test('complaints follow the verdict, and without complaints there is no heading', () => {
  const header = headerOf({ ...sampleResult(), complaints: ['one <b>', 'two'] })
  expect(header).toMatch(
    /Does not conform[\s\S]*2 complaints about the run[\s\S]*<li>one &lt;b&gt;<\/li><li>two<\/li>[\s\S]*class="facts"/,
  )
  expect(headerOf({ ...sampleResult(), complaints: [] })).not.toContain('about the run')
})

test('the header names the baseline, and without one says nothing of it', () => {
  const baseline = {
    file: 'known.yaml',
    entries: [{ scenario: 'a', version: '3.0', requirement: 'REQ', what: 'status' }],
  }
  const header = headerOf({ ...sampleResult(), baseline, verdict: 'matches the baseline' })
  expect(header).toMatch(/o-waived"[^\n]*Matches the baseline</)
  expect(header).toContain('<code>known.yaml</code>: 1 expected failure, 0 scenarios waived')
  expect(headerOf(sampleResult())).not.toContain('<dt>Baseline<')
})

test('the header shows whether certification is possible, and every reason against it', () => {
  const certification = { possible: false, because: ['--only left scenarios out', 'so did --role'] }
  expect(headerOf({ ...sampleResult(), certification })).toContain(
    'not possible:<ul class="reasons"><li>--only left scenarios out</li><li>so did --role</li></ul>',
  )
  expect(headerOf(sampleResult([]))).toContain(
    '<dt>Certificate</dt><dd>possible for registrar 2.4–3.0',
  )
})

const HOSTILE_CHECKS = page.slice(page.indexOf('id="s-registrar-2.5-registrar.answer.hostile"'))

test.each([
  ['excused', 'waived', 'did not hold, excused', 'waived until 2027-01-31'],
  ['warned', 'warn', 'did not hold, warned', 'the document is silent'],
  ['broke', 'fail', 'did not hold', ''],
])('a check that is %s has its own icon and words, and a reason', (name, drawing, words, why) => {
  const row = HOSTILE_CHECKS.slice(HOSTILE_CHECKS.indexOf(`<tr class="${name}">`)).split('</tr>')[0]
  expect(row).toContain(`<use href="#shape-${drawing}"/></svg>${words}</span>`)
  expect(row).toContain(why)
})

test('the legend explains every outcome and every result of a check', () => {
  const legend = page.slice(page.indexOf('<section id="legend">'))
  for (const outcome of OUTCOMES) expect(legend).toContain(OUTCOME_ROWS[outcome].means)
  for (const standing of STANDINGS) expect(legend).toContain(STANDING_ROWS[standing].words)
})

const rowOf = (id: string): string =>
  page.slice(page.indexOf(`<tr id="r-${id}"`)).split('</tr>')[0] ?? ''

test('a version without a check is not executed, and one outside the range of the requirement is marked as such', () => {
  expect(rowOf('REG-PORT-TYPE').match(/not executed/g)).toHaveLength(2)
  expect(rowOf('VPUSH-EVALUATION-PASS').match(/not in this version/g)).toHaveLength(2)
  expect(rowOf('REG-LIST-UUIDS').match(/<use href="#shape-pass"\/>/g)).toHaveLength(2)
})

test('a requirement whose failed checks are all excused or warnings does not fail', () => {
  expect(rowOf('REG-UNKNOWN-AGENT')).toContain('#shape-waived')
  expect(rowOf('REG-PORT-TYPE')).toContain('#shape-warn')
  expect(rowOf('REG-ENVELOPE')).toContain('#shape-fail')
})

test.each([
  ['REG-RESTART-KEEPS', 'The suite cannot restart the registrar.'],
  ['VPUSH-UNKNOWN-INDEX', 'No check of this run covers it.'],
  ['VMUTUAL-OLD', 'The target has none of its versions.'],
])('%s was not executed, and the page shows why: %s', (id, why) => {
  expect(rowOf(id)).toContain(`<td class="reason">${why}</td>`)
})

test('a requirement shows its test method and whether it is a security requirement', () => {
  expect(rowOf('VPULL-QUOTE-INTERVAL')).toContain('method: clock')
  expect(rowOf('VPULL-QUOTE-INTERVAL')).toContain('>security<')
  expect(rowOf('REG-LIST-UUIDS')).not.toMatch(/method:|>security</)
})

const catalogueRow = (at: number): RequirementResult => ({
  id: `ROW-${at}`,
  component: `component ${at % 7}`,
  versions: '2.1-',
  lines: [(at % 420) + 1],
  says: 'A statement of the document, in the words of the catalogue and about as long as they are.',
  strength: 'fixed',
  by_version: at === 8 ? { '3.0': 'fail' } : at % 9 === 0 ? { '3.0': 'pass' } : {},
})

const catalogue = Array.from({ length: 1300 }, (_, at) => catalogueRow(at))

test('with 1,300 requirements only components with a failure are open, and their counts are in the summary', () => {
  const big = pageOf({ ...sampleResult([]), requirements: catalogue }, sampleTranscripts())
  expect(big.match(/<details class="component"[^>]* open>/g)).toEqual([
    '<details class="component" data-component="component 1" open>',
  ])
  expect(big).toMatch(/<h3>component 1<\/h3>[\s\S]{0,300}1 failed[\s\S]{0,300}164 not executed/)
  expect(big.length).toBeLessThan(300_000)
})

test('a failed requirement is in the first row of its component', () => {
  const big = pageOf({ ...sampleResult([]), requirements: catalogue }, sampleTranscripts())
  expect(/data-component="component 1"[\s\S]*?<tr id="([^"]*)"/.exec(big)?.[1]).toBe('r-ROW-8')
})

test('an entry shows the role that was asked, and the curl command that asks again', () => {
  const failing = detailsOf('push.evidence.nonce-replayed', '3.0')
  expect(failing).toContain(
    '<span class="rail-names"><span>verifier</span><span>TPM</span><span>note</span></span>',
  )
  expect(failing).toContain('curl --include --cacert &quot;$CA&quot;')
  expect(failing).toContain('&quot;$VERIFIER&quot;')
})
