import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ScenarioResult } from '../result.ts'
import { sampleResult } from '../sample-result.ts'
import { HOSTILE } from '../sample-scenarios.ts'
import { visible } from '../visible.ts'
import { pageOf } from './page.ts'

const page = pageOf(sampleResult())

const attributesNamed = (name: string): readonly string[] =>
  [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

const detailsOf = (id: string, version: string): string => {
  const start = page.indexOf(`id="s-verifier-${version}-${id}"`)
  return page.slice(start, page.indexOf('<details class="scenario"', start))
}

test('the page refers to nothing outside itself', () => {
  expect(attributesNamed('href').filter((target) => !target.startsWith('#'))).toEqual([])
  expect(page.replaceAll('data-', '')).not.toMatch(
    /<[^>]* (?:src|srcset|action|data|poster|xlink:href|style)=/,
  )
  expect(page).not.toMatch(/<(?:link|base|iframe|object|embed|img|video|audio)\b/)
  expect(page.slice(page.indexOf('<style>'), page.indexOf('</style>'))).not.toMatch(/url\(|@import/)
})

test('the policy allows this stylesheet and this script and nothing else', () => {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect(/http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]).toBe(
    `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`,
  )
})

test('the only script is ours, and no attribute is a script', () => {
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).not.toMatch(/<[^>]+ on[a-z]+=/)
  expect(page).not.toContain('javascript:')
})

test('what a hostile subject sent is shown as text', () => {
  expect(HOSTILE).toContain('<script>alert(1)</script>')
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toContain('{{')
  expect(visible(page)).toBe(page)
})

test('every link leads to one place in the page', () => {
  const ids = attributesNamed('id')
  expect(new Set(ids).size).toBe(ids.length)
  const targets = attributesNamed('href').map((target) => target.slice(1))
  expect(targets.filter((target) => !ids.includes(target))).toEqual([])
})

test('every element that is opened is closed', () => {
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

test('the header has verdict, target, seed, document digest and times', () => {
  const header = page.slice(page.indexOf('<header>'), page.indexOf('</header>'))
  const { interface_sha256, seed, started_at, finished_at } = sampleResult()
  for (const fact of [
    'Does not conform',
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

test('a scenario that did not run under a version is said not to have run', () => {
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

test('a check leads to the exchange it judged, which is open when the check did not hold', () => {
  const failing = detailsOf('push.evidence.nonce-replayed', '3.0')
  const anchor = 's-verifier-3.0-push.evidence.nonce-replayed-entry-7'
  expect(failing).toContain(`<a href="#${anchor}">entry&nbsp;7</a>`)
  expect(failing.slice(failing.indexOf(`id="${anchor}"`))).toMatch(/^[\s\S]{0,300}<details open>/)
  expect(failing.match(/<details open>/g)).toHaveLength(1)
})

test('an exchange without a client certificate says so', () => {
  expect(detailsOf('push.evidence.accepted', '3.0')).toContain('no client certificate shown')
})

test('an exchange without a response says why', () => {
  const silent = detailsOf('push.session.silent', '3.0')
  expect(silent).toContain('no answer before the deadline of 20 s')
})

test('a long body is folded with its length, and a longer one cut with what is missing', () => {
  const [accepted] = sampleResult().scenarios.filter((one) => one.id === 'push.evidence.accepted')
  const [, entry] = accepted?.transcript ?? []
  if (accepted === undefined || entry?.lane !== 'wire') throw new Error('the sample has changed')
  const request = { ...entry.request, body: `{"entries":"${'A'.repeat(20_000)}"}` }
  const long: ScenarioResult = { ...accepted, transcript: [{ ...entry, request }] }
  const text = pageOf(sampleResult([long]))
  expect(text).toContain('<summary>JSON body, 20,019 characters</summary>')
  expect(text).toContain('Cut here: 16,000 of 20,019 characters are shown')
})

test('a requirement of which no check ran is not executed, and one of another version is neither', () => {
  const row = (id: string) => page.slice(page.indexOf(`<tr id="r-${id}">`)).split('</tr>')[0] ?? ''
  expect(row('REG-PORT-TYPE').match(/not executed/g)).toHaveLength(2)
  expect(row('VPUSH-UNKNOWN-INDEX').match(/not in this version/g)).toHaveLength(2)
  expect(row('REG-LIST-UUIDS').match(/<use href="#shape-pass"\/>/g)).toHaveLength(2)
})
