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
const silence = {
  ...{ id: 'SES-LENGTH', component: 'verifier sessions', since: '3.0', lines: [161] },
  ...{ says: 'The length of a challenge is not shown', ambiguity: 'LENGTH' },
}
const explain = (id: string, members: Partial<CatalogueRow> = {}, scenarios = [twin, variant]) =>
  presentExplanation({ id, rows: [{ ...row, ...members }], silences: [silence], scenarios })

test('a requirement is shown with its sentence, lines, versions and scenarios', () => {
  expect(explain('SES-TOKEN')).toBe(`SES-TOKEN
  A passing session has a token.

  component   verifier sessions
  versions    3.0 and later
  document    lines 165, 203
  strength    fixed by the document
  method      requests and replies
  checked by  session.bad: A bad proof (twin: session.good)
`)
})

test('a requirement that the document does not state is shown with what fixes it', () => {
  expect(explain('SES-TOKEN', { fixed_by: 'RFC 6750, 5.2' })).toContain(
    'strength    fixed by RFC 6750, 5.2',
  )
})

test('a field is shown with the value that it must have', () => {
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

test('a requirement without a check shows the reason', () => {
  expect(explain('SES-TOKEN', { excluded: 'not yet' }, [])).toContain(
    'checked by  no scenario: not yet',
  )
})

test('a requirement that another one judges names it', () => {
  const rows = [{ ...row, id: 'SES-OTHER', judged_by: ['SES-TOKEN'] }, row]
  const scenarios = [twin, variant]
  expect(presentExplanation({ id: 'SES-OTHER', rows, silences: [], scenarios })).toContain(
    '\n  judged by   SES-TOKEN: A passing session has a token\n',
  )
})

test('a silence of the document is shown as one', () => {
  expect(explain('SES-LENGTH')).toBe(`SES-LENGTH
  The length of a challenge is not shown.

  component   verifier sessions
  versions    3.0 and later
  document    line 161
  strength    the document is silent (LENGTH); it requires nothing
`)
})

test.each([
  [
    { strength: 'either', readings: ['a text', 'a number'] },
    'either (PORT): a text, or a number; a reply that meets none fails',
  ],
  [{ strength: 'silent' }, 'the document is silent (PORT)'],
] as const)('a row of strength %s names its ambiguity and its readings', (row, words) => {
  expect(explain('SES-TOKEN', { ...row, ambiguity: 'PORT' })).toContain(words)
})

test('a scenario is shown with its twin and its requirements', () => {
  expect(explain('session.bad')).toBe(`session.bad
  A bad proof.

  subject     the verifier
  versions    3.0 and later
  twin        session.good: A good proof
  covers      SES-TOKEN: A passing session has a token
`)
})

test('a twin is shown with its variants', () => {
  expect(explain('session.good')).toContain('variants    session.bad: A bad proof')
})

test('for a misspelled id the error names the nearest one', () => {
  expect(() => explain('SES-TOKE')).toThrow(
    expect.objectContaining({ next: 'assay explain SES-TOKEN' }),
  )
})

test('for an unknown id the error names the verbs that list ids', () => {
  expect(() => explain('x')).toThrow('there is neither a requirement nor a scenario called x')
})
