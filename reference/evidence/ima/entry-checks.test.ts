import { generateKeyPairSync, hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { runChecks } from '../check.ts'
import { recordedPolicy } from '../testing/recorded-policy.ts'
import { imaEntryChecks } from './entry-checks.ts'
import type { ImaEntry } from './list/entry.ts'
import type { ImaContent } from './list/fields.ts'
import { TrustedSigners } from './policy/trusted-signers.ts'

const HASH = '01'.repeat(20)
const DIGEST = { algorithm: 'sha256', hex: 'ab'.repeat(32) }
const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'der',
  type: 'spki',
})

function digestOf(buffer: Uint8Array) {
  return { algorithm: 'sha256', hex: hash('sha256', buffer) }
}

function typesOf(content: Partial<ImaContent>, change: Readonly<Record<string, unknown>>) {
  const item: ImaEntry = {
    kind: 'entry',
    number: 0,
    lines: 1,
    pcr: 10,
    templateHash: HASH,
    template: content.buffer ? 'ima-buf' : 'ima-ng',
    data: new Uint8Array(20),
    dataHash: HASH,
    content: {
      digest: content.buffer ? digestOf(content.buffer) : DIGEST,
      name: '/x',
      exactName: true,
      ...content,
    },
  }
  const policy = recordedPolicy([], change)
  const subject = {
    item,
    policy,
    ignoreTomtouErrors: false,
    bootAggregates: new Set<string>(),
    signers: new TrustedSigners(),
  }
  return runChecks(imaEntryChecks, subject).map(({ type }) => type)
}

const LISTED = [DIGEST.hex]
const NOT_LISTED = ['ima.validation.ima-buf.not_in_allowlist']

function keyrings(change: Readonly<Record<string, unknown>>, ignored: readonly string[] = []) {
  const ima = { ignored_keyrings: ignored, log_hash_alg: 'sha1', dm_policy: null }
  return typesOf({ name: '.ima', buffer: KEY }, { ima, ...change })
}

test('a measured key is checked against its keyring', () => {
  expect(keyrings({})).toEqual(NOT_LISTED)
  const listed = [digestOf(KEY).hex]
  expect(keyrings({ keyrings: { '.ima': listed } })).toEqual([])
  expect(keyrings({ 'ima-buf': { '.ima': listed } })).toEqual(NOT_LISTED)
})

test('a measured key is not checked if its keyring is ignored, by name or with all', () => {
  expect(keyrings({}, ['.ima'])).toEqual([])
  expect(keyrings({}, ['*'])).toEqual([])
  expect(keyrings({}, ['.evm'])).toEqual(NOT_LISTED)
})

test('critical data is checked by its label, even if all keyrings are ignored', () => {
  const ima = { ignored_keyrings: ['*'], log_hash_alg: 'sha1', dm_policy: null }
  const data = { name: 'label', buffer: Uint8Array.of(0x30, 1, 2) }
  expect(typesOf(data, { ima, 'ima-buf': {} })).toEqual(NOT_LISTED)
  expect(typesOf(data, { ima, 'ima-buf': { label: [digestOf(data.buffer).hex] } })).toEqual([])
})

test('a name that is no UTF-8 matches no path of a policy', () => {
  const digests = { '/\u{fffd}': LISTED }
  expect(typesOf({ name: '/\u{fffd}', exactName: true }, { digests })).toEqual([])
  expect(typesOf({ name: '/\u{fffd}', exactName: false }, { digests })).toEqual([
    'ima.validation.ima-ng.not_in_allowlist',
  ])
})
