import { expect, test } from 'vitest'
import { filled, text } from '../../../simulator/tpm/write.ts'
import { base64, inspected } from '../test-support.ts'

const POLICY = {
  meta: { version: 1, generator: 2 },
  release: 3,
  digests: { '/a': ['00'.repeat(32), '11'.repeat(20)], '/b': ['22'.repeat(32)] },
  excludes: ['^/tmp'],
  keyrings: { '.ima': ['00'.repeat(32)] },
  ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
  'ima-buf': { kernel_version: ['00'.repeat(32)] },
  'verification-keys': JSON.stringify({ keyids: [1], pubkeys: ['AA=='] }),
}
const COUNTED = {
  version: 1,
  generator: 2,
  release: 3,
  log_hash_alg: 'sha1',
  paths: 2,
  digests: [
    { length: 40, count: 1 },
    { length: 64, count: 2 },
  ],
  ...{ excludes: 1, keyrings: 1, ima_buf: 1, verification_keys: 1 },
}
const RIGHT = JSON.stringify(POLICY)
const ENVELOPE = JSON.stringify({
  payload: base64(text(RIGHT)),
  payloadType: 'application/vnd.keylime+json',
  signatures: [{ keyid: 'k', sig: base64(filled(64)) }],
})

test.each<[string, string, unknown]>([
  ['as it is', RIGHT, null],
  ['in base64', base64(text(RIGHT)), null],
  ['in a request', JSON.stringify({ runtime_policy: base64(text(RIGHT)) }), null],
  [
    'in an envelope',
    ENVELOPE,
    { payload_type: 'application/vnd.keylime+json', signatures: [{ keyid: 'k', length: 64 }] },
  ],
])('a policy %s is counted', (_, content, envelope) => {
  const { policy, broken, warnings } = inspected('policy', content)
  expect(policy).toEqual({ ...COUNTED, envelope })
  expect([broken, warnings]).toEqual([[], []])
})

const DIGEST = { sha256: `0x${'00'.repeat(32)}` }
const STATE = {
  has_secureboot: true,
  scrtm_and_bios: [
    { scrtm: DIGEST, platform_firmware: [DIGEST, DIGEST], other_platform_firmware: [] },
  ],
  ...{ pk: [], kek: [], db: [], dbx: [] },
  kernels: [
    {
      kernel_authcode_sha256: DIGEST.sha256,
      initrd_plain_sha256: DIGEST.sha256,
      other_files_plain_sha256: [],
      kernel_cmdline: 'root=.+',
    },
  ],
}

test.each([
  ['as it is', JSON.stringify(STATE)],
  ['in a request', JSON.stringify({ mb_policy: JSON.stringify(STATE) })],
])('a measured boot reference state %s is explained', (_, content) => {
  const { about, facts, policy, broken, warnings } = inspected('policy', content)
  expect(about).toMatch(/^A measured boot reference state/)
  expect(facts).toContainEqual({
    name: 'firmware',
    value: 'PCR 0 holds its version and 2 parts in order, then 0 more in any order',
  })
  expect(facts.at(-1)?.value).toBe(
    'kernel, initial RAM disk, 0 further files, the command line matches "root=.+"',
  )
  expect([policy, broken, warnings]).toEqual([null, [], []])
})

test.each(['{}', '{"name":"assay","version":"1.0.0"}', '{"release":3}'])(
  '%s is no policy',
  (content) => {
    const { facts, broken } = inspected('policy', content)
    expect(facts).toEqual([])
    expect(broken[0]?.why).toMatch(/^it has the members neither of a runtime policy/)
  },
)
