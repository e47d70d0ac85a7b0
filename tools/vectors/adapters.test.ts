import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { HAS_EVMCTL } from '../../simulator/testing/evmctl.ts'
import { vectorGroups } from './corpus.ts'
import { runVectors } from './run-vectors.ts'

const groups = vectorGroups()

/** What an adapter answers to these vectors. */
async function answersOf(adapter: string, ids: readonly string[]) {
  const command = [process.execPath, join(packageRoot(), 'tools/vectors/adapters', adapter)]
  const chosen = groups.map((group) => ({
    ...group,
    vectors: group.vectors.filter(({ id }) => ids.includes(id)),
  }))
  const results = await runVectors(command, chosen)
  return Object.fromEntries(results.map(({ id, answered }) => [id, answered]))
}

test('the adapter of tpm2_checkquote evaluates quotes, and skips evidence with logs', async () => {
  const expected = {
    'signature-ecc': 'valid',
    'signature-rsa': 'valid',
    'e3-26-ecc-first-byte': 'invalid',
    'e3-26-rsa-last-byte': 'invalid',
    'pcr-policy-a-policy-that-lists-another-value-for-pcr-23': 'not judged',
    'uefi-log-boot': 'not judged',
  }
  expect(await answersOf('tpm2-checkquote.js', Object.keys(expected))).toEqual(expected)
})

test.skipIf(!HAS_EVMCTL)('the adapter of evmctl replays lists, and skips quotes', async () => {
  const expected = {
    'signature-ecc': 'not judged',
    'ima-ascii-list': 'valid',
    'e6-62-blank': 'valid',
    'e6-70-removed': 'invalid',
  }
  expect(await answersOf('evmctl.js', Object.keys(expected))).toEqual(expected)
})
