import { expect, test } from 'vitest'
import type { Job } from './exchange.ts'
import { isSmall } from './small-task.ts'

const SENT = {
  ...{ nonce: 'n', quote: 'r:', hash_alg: 'sha256', tpm_ak: 'AA==', tpm_ek: 'AA==' },
  ...{ tpm_policy: null, runtime_policy: null, mb_policy: null },
  ...{ ima_measurement_list: null, mb_list: null, mb_log: null },
}
const SETTINGS = { ignoreTomtouErrors: false, bootPolicyName: 'example' } as const
const sent = (change: object = {}) =>
  ({ task: { kind: 'sent', evidence: { ...SENT, ...change }, ...SETTINGS } }) as Job

test.each([
  ['a quote', sent(), true],
  ['a quote with a short list', sent({ ima_measurement_list: 'x'.repeat(12_000) }), true],
  ['a quote with a long list', sent({ ima_measurement_list: 'x'.repeat(12_288) }), false],
  ['a long quote', sent({ quote: `r${'x'.repeat(12_288)}` }), false],
  ['a runtime policy', sent({ runtime_policy: '{}' }), false],
  ['a boot policy', sent({ mb_policy: '{}' }), false],
  ['a body that is not read', { task: { kind: 'unread' } } as unknown as Job, false],
])('%s', (_what, job, isHere) => {
  expect(isSmall(job)).toBe(isHere)
})
