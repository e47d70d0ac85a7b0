import { describe, expect, test } from 'vitest'
import { hashByName } from '../../../tpm/algorithms.ts'
import { runChecks } from '../../check.ts'
import { absent, real, WHY_SKIPPED } from '../../testing/real-data.ts'
import { parseBootLog } from '../log/parse-log.ts'
import { sortEvents } from './boot-policy-case.ts'
import { bootPolicyChecks } from './boot-policy-checks.ts'
import { parseReferenceState } from './reference-state.ts'

const SHA256 = hashByName('sha256')

/** The findings of a reference state in a log, by check and message. */
function found(log: Uint8Array, state: string): readonly string[] {
  if (!SHA256) return ['there is no SHA-256']
  const policy = { name: 'example', state: parseReferenceState(state) } as const
  const boot = { policy, ...sortEvents(parseBootLog(log), SHA256) }
  const asked = bootPolicyChecks.filter(({ of }) => of.includes('example'))
  return runChecks(asked, boot).map(({ context }) => `${context['check']}: ${context.message}`)
}

describe.skipIf(absent)(`a reference state that upstream made${WHY_SKIPPED}`, () => {
  const folder = 'keylime-perf-tests/data/'
  const text = (file: string) => Buffer.from(real(folder + file)).toString()
  const log = () => new Uint8Array(Buffer.from(text('uefi_log.txt'), 'base64'))

  test('lets the boot pass that it was made of', () => {
    expect(found(log(), text('uefi_refstate.json'))).toEqual([])
  })

  test.each([
    ['scrtm_and_bios', [], /^boot-policy.firmware: the firmware is none of the 0/],
    ['pk', [], /^boot-policy.pk: pk has 30820505/],
    ['kek', [], /^boot-policy.kek: kek has /],
    ['db', [], /^boot-policy.db: db has /],
    ['mokdig', [], /^boot-policy.mok: .* has a digest that is not listed for "MokList"/],
    ['kernels', [], /^boot-policy.kernel: what was loaded is none of the 0/],
    ['has_secureboot', true, /^boot-policy.secure-boot: SecureBoot is 00/],
  ])('does not, with another %s', (member, value, message) => {
    const state = { ...JSON.parse(text('uefi_refstate.json')), [member]: value }
    expect(found(log(), JSON.stringify(state))).toEqual([expect.stringMatching(message)])
  })
})
