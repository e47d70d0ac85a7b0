import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import type { Scenario } from '../scenario.ts'
import { loadWaivers } from './load-waivers.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-waivers-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const requirement = (id: string, security?: true): CatalogueRow => ({
  id,
  component: 'verifier',
  since: '3.0',
  lines: [1],
  says: 'It is so',
  strength: 'fixed',
  judged: 'wire',
  ...(security === undefined ? {} : { security }),
})
const scenario: Scenario = {
  id: 'a',
  title: 'a',
  requirements: ['REQ', 'SEC'],
  role: 'verifier',
  since: '3.0',
  run: () => Promise.resolve(),
}
const ROW =
  "{ scenario: a, requirement: REQ, reason: known, link: 'https://issues.invalid/1', expires: 2027-01-31 }"
const load = (text: string) => {
  const file = join(directory, 'waivers.yaml')
  writeFileSync(file, text)
  return loadWaivers(file, [requirement('REQ'), requirement('SEC', true)], [scenario])
}

test('a complete waiver is read', () => {
  expect(load(`- ${ROW}`)).toHaveLength(1)
})

test.each([
  ['without a reason', ROW.replace('reason: known, ', ''), 'has no reason'],
  ['without an expiry date', ROW.replace(', expires: 2027-01-31', ''), 'has no expires'],
  [
    'with an expiry that is not a date',
    ROW.replace('2027-01-31', 'never'),
    'expires: expected a date',
  ],
  ['of an unknown scenario', ROW.replace('scenario: a', 'scenario: z'), 'there is no scenario z'],
  ['of a pattern', ROW.replace('scenario: a', "scenario: '*'"), 'there is no scenario *'],
  [
    'of a requirement that the scenario does not check',
    ROW.replace('REQ', 'OTHER'),
    'makes no check for OTHER',
  ],
  ['of a security requirement', ROW.replace('REQ', 'SEC'), 'SEC is a security requirement'],
  ['with an unknown member', ROW.replace('reason', 'level: 1, reason'), 'unknown member level'],
])('a waiver %s is refused, and the error names the problem', (_what, row, sentence) => {
  expect(() => load(`- ${row}`)).toThrow(sentence)
})
