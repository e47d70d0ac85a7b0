import { SOFT_KEYS } from './machines.ts'
import { modelKey } from './models/signature-model.ts'
import type { Input } from './target.ts'

/** A policy document; `kind` says which one. */
export interface PolicyRun extends Input {
  readonly kind: string
  /** JSON text */
  readonly text: string
}

const HEX = (digit: string, bytes: number) => digit.repeat(2 * bytes)

function keyring(): string {
  const pubkeys = SOFT_KEYS.slice(-2).map((soft) => {
    const der = modelKey(soft.tpm2bPublic)?.key.export({ type: 'spki', format: 'der' })
    return der?.toString('base64') ?? ''
  })
  return JSON.stringify({ meta: { version: 1 }, keyids: [1, 0xfffffffe], pubkeys })
}

const PLAIN = {
  meta: { version: 1, generator: 2 },
  release: 0,
  digests: {
    '/usr/bin/bash': [HEX('a', 32), HEX('b', 20)],
    '/usr/bin/with space': [HEX('c', 32)],
    boot_aggregate: [HEX('d', 20)],
  },
  excludes: ['/tmp/.*', '/proc'],
  keyrings: { '.ima': [HEX('e', 32)] },
  ima: { ignored_keyrings: ['.builtin'], log_hash_alg: 'sha1', dm_policy: null },
  'ima-buf': { kernel_version: [HEX('f', 32)] },
  'verification-keys': '',
}

const LIBERAL = {
  ...PLAIN,
  meta: { version: 0, generator: 0, timestamp: 'some day' },
  digests: { '/bin/sh': [`sha256:${HEX('1', 32)}`], __proto__: [HEX('2', 64)] },
  excludes: ['[a-c]+x?', '(?i)/VAR', '^/opt$', '\\d{2,5}'],
  keyrings: { '.ima': HEX('3', 32) },
  ima: { ignored_keyrings: ['*'], log_hash_alg: 'sha512' },
  'verification-keys': keyring(),
}

const ALLOWLIST = {
  meta: { version: 5 },
  release: 3,
  hashes: PLAIN.digests,
  keyrings: PLAIN.keyrings,
  ima: { ignored_keyrings: [], log_hash_alg: 'sha256' },
}

/** A document in an envelope; nobody looks at its signature here. */
export function enveloped(document: unknown): unknown {
  const payload = Buffer.from(JSON.stringify(document) ?? '').toString('base64')
  const signatures = [{ keyid: '', sig: 'AAAA' }]
  return { payloadType: 'application/vnd.keylime+json', payload, signatures }
}

const RUNTIME: readonly unknown[] = [
  PLAIN,
  LIBERAL,
  { ...PLAIN, digests: {}, excludes: [], keyrings: {}, 'ima-buf': {} },
  ALLOWLIST,
  { allowlist: ALLOWLIST, exclude: ['# a comment', '', '/tmp'] },
  enveloped(PLAIN),
  enveloped(ALLOWLIST),
]

const STATIC: readonly unknown[] = [
  { '0': [HEX('4', 20), HEX('5', 32)], '7': HEX('6', 48), mask: '0x408000' },
  { '23': [HEX('A', 64)], '10': [`0x${HEX('b', 32)}`] },
  {},
]

/** Documents that are accepted: runtime policies in every form that was ever released, and static PCR policies. */
export const HONEST_POLICIES: readonly PolicyRun[] = [
  ...RUNTIME.map((document) => ({ kind: 'runtime', document })),
  ...STATIC.map((document) => ({ kind: 'tpm', document })),
].map(({ kind, document }, of) => ({ of, kind, text: JSON.stringify(document) ?? '' }))
