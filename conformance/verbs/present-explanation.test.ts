import { expect, test } from 'vitest'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import { type ExplanationCase, presentExplanation } from './present-explanation.ts'

const row: CatalogueRow = {
  id: 'SES-TOKEN',
  component: 'verifier sessions',
  since: '3.0',
  lines: [165, 203],
  says: 'A passing session has a token',
  strength: 'fixed',
  judged: 'wire',
}
const twin: ExplanationCase['scenarios'][number] = {
  id: 'session.good',
  title: 'A good proof',
  requirements: [],
  role: 'verifier',
  since: '3.0',
}
const variant = {
  ...twin,
  id: 'session.bad',
  title: 'A bad proof',
  requirements: ['SES-TOKEN'],
  variantOf: 'session.good',
}
const explain = (id: string, members: Partial<CatalogueRow> = {}, scenarios = [twin, variant]) =>
  presentExplanation({ id, rows: [{ ...row, ...members }], scenarios })

test('a requirement is told with its sentence, lines, versions and scenarios', () => {
  expect(explain('SES-TOKEN')).toBe(`SES-TOKEN
  A passing session has a token.

  component   verifier sessions
  versions    3.0 and later
  document    lines 165, 203
  strength    fixed by the document
  judged      by requests and replies alone
  checked by  session.bad: A bad proof (twin: session.good)
`)
})

test('a field is told as the answer that would be right', () => {
  const field = {
    reply: 'session.complete',
    path: 'data.token',
    type: 'string-or-absent',
    values: ['x'],
    when: 'evaluation is pass',
  } as const
  expect(explain('SES-TOKEN', { field })).toContain(
    'data.token of session.complete is string or absent, one of "x", when evaluation is pass',
  )
})

test('a requirement without a check tells why', () => {
  expect(explain('SES-TOKEN', { excludedByFile: 'not yet' }, [])).toContain(
    'checked by  no scenario: not yet',
  )
})

test.each([
  ['two-readings', 'two readings (PORT)'],
  ['silent', 'the document is silent (PORT)'],
] as const)('a row of strength %s names its ambiguity', (strength, words) => {
  expect(explain('SES-TOKEN', { strength, ambiguity: 'PORT' })).toContain(words)
})

test('a scenario is told with its twin and what it speaks for', () => {
  expect(explain('session.bad')).toBe(`session.bad
  A bad proof.

  judges      the verifier
  versions    3.0 and later
  twin        session.good: A good proof
  speaks for  SES-TOKEN: A passing session has a token
`)
})

test('a twin is told with its variants', () => {
  expect(explain('session.good')).toContain('variants    session.bad: A bad proof')
})

test('an id that is almost right is answered with the right one', () => {
  expect(() => explain('SES-TOKE')).toThrow(
    expect.objectContaining({ next: 'assay explain SES-TOKEN' }),
  )
})

test('an id that is nothing like any is answered with where to look', () => {
  expect(() => explain('x')).toThrow('there is neither a requirement nor a scenario called x')
})
