import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { evaluate } from '../../evidence/evaluate.ts'
import { recordedCase } from '../../evidence/testing/recorded-case.ts'
import { parseReferenceState } from '../../evidence/uefi/policy/reference-state.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { policyMain } from './policy.ts'

const LOG = recorded('binary_bios_measurements')
const GOOD = fileURLToPath(
  new URL('../../../fixtures/boots/full-ovmf-imasig/binary_bios_measurements', import.meta.url),
)

function say(...words: readonly string[]) {
  const said = { out: '', err: '' }
  const into = (stream: 'out' | 'err') => ({
    write: (text: string) => {
      said[stream] += text
    },
  })
  const code = policyMain(['boot', ...words], { out: into('out'), err: into('err') })
  return { code, ...said }
}

function failuresUnder(text: string): readonly string[] {
  const policy = { name: 'example', state: parseReferenceState(text) } as const
  const seen = evaluate(recordedCase({ uefi: LOG, measuredBoot: { required: true, policy } }))
  return seen.findings.map(({ type, context }) => `${type} ${String(context['check'])}`)
}

test('under a reference state of a boot that very boot passes', () => {
  const { code, out } = say('--boot-log', GOOD)
  expect(code).toBe(0)
  expect(failuresUnder(out)).toEqual([])
})

test('it lists the firmware, the databases and the loaded images', () => {
  const { out, err } = say('--boot-log', GOOD)
  expect(JSON.parse(out)).toMatchObject({
    has_secureboot: false,
    scrtm_and_bios: [{ scrtm: { sha1: expect.any(String) }, platform_firmware: [{}, {}] }],
    ...{ pk: [], kek: [], db: [], dbx: [] },
    kernels: [
      { kernel_authcode_sha256: expect.any(String), initrd_plain_sha256: expect.any(String) },
    ],
  })
  expect(err).toContain('note: the command line is not listed')
})

test.each([
  ['firmware', { scrtm_and_bios: [] }, 'boot-policy.firmware'],
  [
    'kernel',
    { kernels: [{ kernel_authcode_sha256: `0x${'00'.repeat(32)}` }] },
    'boot-policy.kernel',
  ],
  [
    'revocation',
    { dbx: [{ SignatureOwner: '77fa9abd-0359-4d32-bd60-28f4e78f784b', SignatureData: '0x00' }] },
    'boot-policy.dbx',
  ],
])('with another %s in it, the boot fails for that alone', (_, change, check) => {
  const state = { ...JSON.parse(say('--boot-log', GOOD).out), ...change }
  expect(failuresUnder(JSON.stringify(state))).toEqual([`measured_boot.policy_example ${check}`])
})

test.each([
  ['a file that is not there', '/none', /--boot-log \/none: there is no such file/],
  ['a log that is cut', LOG.subarray(0, 300), /LOG\[\d\].*needs/],
  ['no log', new Uint8Array(), /it is empty/],
  ['a log without SHA-256', new Uint8Array(4096), /has digests of sha1, and none of sha256/],
])('%s is refused with a sentence', (_, content, sentence) => {
  const path = join(temporaryDirectory(), 'log')
  if (typeof content !== 'string') writeFileSync(path, content)
  const asked = () => say('--boot-log', typeof content === 'string' ? content : path)
  expect(asked).toThrow(expect.objectContaining({ sentence: expect.stringMatching(sentence) }))
})
