import { expect, test } from 'vitest'
import { NO_DEVIATIONS } from '../../target/deviations.ts'
import { allowancesOf, type CertificationCase, decideCertification } from './certification.ts'

const WHOLE: CertificationCase = {
  scope: { text: 'registrar 3.0', narrowed: [], missing: [] },
  skipped: 0,
  allowances: [],
  complaints: [],
  verdict: 'conforms',
}
const waiver = {
  scenario: 'a',
  requirement: 'REQ',
  reason: 'r',
  link: 'l',
  expires: '2030-01-01',
}

test('a complete, conforming run without waivers and within the limits can be certified', () => {
  expect(decideCertification(WHOLE)).toEqual({
    possible: true,
    because: [],
    covers: 'registrar 3.0',
  })
})

const FLAWS: readonly [string, Partial<CertificationCase>, string][] = [
  ['a selection', { scope: { ...WHOLE.scope, narrowed: ['--only'] } }, '--only left scenarios out'],
  ['a shard', { scope: { ...WHOLE.scope, narrowed: ['--shard'] } }, '--shard left scenarios out'],
  ['missing evidence', { scope: { ...WHOLE.scope, missing: ['no check'] } }, 'no check'],
  ['a skipped scenario', { skipped: 2 }, '2 scenarios were skipped'],
  ['a waiver', { allowances: allowancesOf({ waivers: [waiver], today: '' }, []) }, 'REQ is waived'],
  [
    'a profile',
    { allowances: allowancesOf({ ...NO_DEVIATIONS, profile: { name: 'p', rows: [] } }, []) },
    'deviation profile p is in use',
  ],
  [
    'a stretched limit',
    { allowances: allowancesOf(NO_DEVIATIONS, ['verdict_within']) },
    'time limit verdict_within',
  ],
  ['a baseline', { verdict: 'matches the baseline' }, 'the verdict is: matches the baseline'],
  ['a complaint', { complaints: ['stale'] }, 'stale'],
  ['a failure', { verdict: 'does not conform' }, 'the verdict is: does not conform'],
]

test.each(FLAWS)('%s prevents certification, and the reason names it', (_what, flaw, sentence) => {
  const { possible, because } = decideCertification({ ...WHOLE, ...flaw })
  expect([possible, because]).toEqual([false, [expect.stringContaining(sentence)]])
})
