import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { hashedEntry, imaBufEntry } from '../../../../simulator/ima/make-entry.ts'
import { cat, filled, text, toHex } from '../../../../simulator/tpm/write.ts'
import { contentOf } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { recorded } from '../../../../simulator/vectors/recorded-quote.ts'
import { AGGREGATE, FILES, FIRST, measured, THIRD } from './list-evidence.ts'
import { ALTERATIONS, type NearMiss } from './near-miss.ts'

const BUFFER = 'VER-EVIDENCE-IMA-BUFFER'
const POLICY = 'VER-EVIDENCE-RUNTIME-JUDGES'

const VERSION = text('6.1.0-56-cloud-amd64')
const CRITICAL = imaBufEntry('kernel_version', VERSION)
const BUFFERS: readonly ImaEntry[] = [AGGREGATE, CRITICAL, FIRST]

/** A buffer with this digest under a policy that lists the digest. */
function digested(digest: Uint8Array, buffer: Uint8Array, named = 'sha256'): readonly ImaEntry[] {
  const [, ...fields] = imaBufEntry('kernel_version', buffer).fields
  const head = cat(text(`${named}:`), filled(1), digest)
  return [AGGREGATE, hashedEntry({ template: 'ima-buf', fields: [head, ...fields] }), FIRST]
}

const CRITICAL_DATA: readonly NearMiss[] = [
  { sends: 'critical data that is listed', evidence: () => measured(BUFFERS) },
  ...ALTERATIONS.map(
    ([says, alter]): NearMiss => ({
      sends: `critical data whose digest is one ${says} as its own`,
      breaks: BUFFER,
      evidence: () => {
        const own = CRITICAL.fields[0]?.subarray(-32) ?? filled(32)
        return measured(digested(alter(own), VERSION))
      },
    }),
  ),
  {
    sends: 'empty critical data with the digest of other data',
    breaks: BUFFER,
    evidence: () => measured(digested(contentOf('data'), filled(0))),
  },
  ...(
    [
      ['that is of other data', text('6.1.0')],
      ['that is the one of SHA-256', VERSION],
    ] as const
  ).map(
    ([says, data]): NearMiss => ({
      sends: `critical data with a listed digest of SM3 ${says}`,
      breaks: BUFFER,
      evidence: () => {
        const [own] = CRITICAL.fields
        return measured(digested(own?.subarray(-32) ?? filled(32), data, 'sm3-256'))
      },
    }),
  ),
  {
    sends: 'critical data under a policy that lists other data',
    breaks: POLICY,
    evidence: () =>
      measured(BUFFERS, { listed: [AGGREGATE, imaBufEntry('kernel_version', text('5')), FIRST] }),
  },
  {
    sends: 'critical data under another label than is listed',
    breaks: POLICY,
    evidence: () =>
      measured(BUFFERS, { listed: [AGGREGATE, imaBufEntry('kernel_versions', VERSION), FIRST] }),
  },
  {
    sends: 'critical data under a policy with an empty list for it',
    breaks: POLICY,
    evidence: () => measured(BUFFERS, { policy: { 'ima-buf': { kernel_version: [] } } }),
  },
  {
    sends: 'critical data that is not listed, under a policy that ignores every keyring',
    breaks: POLICY,
    evidence: () => measured(BUFFERS, { listed: [AGGREGATE, FIRST], ...ignoring('*') }),
  },
]

function certificate(): Uint8Array {
  const pem = Buffer.from(recorded('swtpm-localca-rootca-cert.pem')).toString('latin1')
  return new Uint8Array(Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64'))
}

/** A key that was added to a keyring, under a policy for it. */
function keyAdded(
  sends: string,
  keyring: string,
  change: (digest: string) => Parameters<typeof measured>[1],
  breaks?: string,
): NearMiss {
  return {
    sends,
    ...(breaks === undefined ? {} : { breaks }),
    evidence: () => {
      const key = imaBufEntry(keyring, certificate())
      const hex = Buffer.from(key.fields[0]?.subarray(-32) ?? filled(0)).toString('hex')
      return measured([AGGREGATE, key, FIRST], { listed: [AGGREGATE, FIRST], ...change(hex) })
    },
  }
}

/** A key whose digest is listed for its keyring, and whose certificate has another. */
const MISDIGESTED: NearMiss = {
  sends: 'a key with the digest of another one, which is listed',
  breaks: BUFFER,
  evidence: () => {
    const [, ...fields] = imaBufEntry('.ima', certificate()).fields
    const digest = contentOf('another key')
    const head = cat(text('sha256:'), filled(1), digest)
    const key = hashedEntry({ template: 'ima-buf', fields: [head, ...fields] })
    const policy = { keyrings: { '.ima': [Buffer.from(digest).toString('hex')] } }
    return measured([AGGREGATE, key, FIRST], { listed: [AGGREGATE, FIRST], policy })
  },
}

const ignoring = (...ignored_keyrings: readonly string[]) => ({
  policy: { ima: { ignored_keyrings, log_hash_alg: 'sha1', dm_policy: null } as const },
})

const KEYS: readonly NearMiss[] = [
  keyAdded('a key that is listed for its keyring', '.ima', (hex) => ({
    policy: { keyrings: { '.ima': [hex] } },
  })),
  keyAdded('a key in an ignored keyring', '.ima', () => ignoring('.evm', '.ima')),
  keyAdded('a key in a keyring that is not listed', '.ima', () => ({}), POLICY),
  keyAdded(
    'a key that is listed for another keyring',
    '.ima',
    (hex) => ({ policy: { keyrings: { '.evm': [hex] } } }),
    POLICY,
  ),
  keyAdded(
    'a key in a keyring with an empty list',
    '.ima',
    () => ({ policy: { keyrings: { '.ima': [] } } }),
    POLICY,
  ),
  keyAdded('a key in another keyring than the ignored one', '.ima', () => ignoring('.evm'), POLICY),
  keyAdded('a key in .ima where .im is ignored', '.ima', () => ignoring('.im'), POLICY),
  keyAdded('a key in .ima where .IMA is ignored', '.ima', () => ignoring('.IMA'), POLICY),
  keyAdded('a key under a policy that ignores every keyring', '.ima', () => ignoring('*')),
]

/** The certificate with an object identifier of its key that no standard has. */
function unknownCertificate(): Uint8Array {
  const der = Buffer.from(certificate())
  const at = der.indexOf(Buffer.from('2a864886f70d010101', 'hex'))
  if (at < 0) throw new RangeError('the certificate has no RSA key')
  return new Uint8Array(der).with(at + 8, 0x7f)
}

/** Entries of no file with something that only the policy of files can allow. */
const UNLISTED: readonly NearMiss[] = [
  {
    sends: 'a certificate of an unknown kind of key that is not listed',
    breaks: POLICY,
    evidence: () =>
      measured([AGGREGATE, imaBufEntry('.ima', unknownCertificate()), FIRST], {
        listed: [AGGREGATE, FIRST],
      }),
  },
  {
    sends: 'critical data with a signature that is none, which is not listed',
    breaks: POLICY,
    evidence: () => {
      const [head = filled(0), name = filled(0), buffer = filled(0)] = CRITICAL.fields
      const fields = [head, name, filled(2, 3), buffer]
      const entry = hashedEntry({ template: 'd-ng|n-ng|sig|buf', fields })
      return measured([AGGREGATE, entry, FIRST], { listed: [AGGREGATE, FIRST] })
    },
  },
]

const digestOf = ({ fields }: ImaEntry) => toHex(fields[0]?.subarray(-32) ?? filled(0))

/** A policy lists files, keys and critical data apart from each other. */
const IN_ANOTHER_TABLE: readonly NearMiss[] = [
  keyAdded(
    'a key that is listed as critical data',
    '.ima',
    (hex) => ({ policy: { 'ima-buf': { '.ima': [hex] } } }),
    POLICY,
  ),
  {
    sends: 'critical data that is listed as a key',
    breaks: POLICY,
    evidence: () =>
      measured(BUFFERS, {
        listed: [AGGREGATE, FIRST],
        policy: { keyrings: { kernel_version: [digestOf(CRITICAL)] } },
      }),
  },
  {
    sends: 'critical data that is listed as a file',
    breaks: POLICY,
    evidence: () => {
      const asFile = hashedEntry({ template: 'ima-ng', fields: CRITICAL.fields.slice(0, 2) })
      return measured(BUFFERS, { listed: [AGGREGATE, asFile, FIRST] })
    },
  },
  {
    sends: 'a file that is listed as critical data and as a key',
    breaks: POLICY,
    evidence: () => {
      const table = { '/usr/bin/third': [digestOf(THIRD)] }
      const policy = { 'ima-buf': table, keyrings: table }
      return measured(FILES, { listed: FILES.slice(0, -1), policy })
    },
  },
]

/** Buffers that a kernel measured: critical data, and keys that were added to a keyring. */
export const MEASURED_BUFFERS: readonly NearMiss[] = [
  ...CRITICAL_DATA,
  ...KEYS,
  MISDIGESTED,
  ...IN_ANOTHER_TABLE,
  ...UNLISTED,
]
