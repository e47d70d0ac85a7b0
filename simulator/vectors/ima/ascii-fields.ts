import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { writeAsciiList } from '../../ima/ascii.ts'
import type { Measured } from '../../ima/fields.ts'
import type { ImaEntry } from '../../ima/list.ts'
import { hashedEntry, imaBufEntry, imaEntry } from '../../ima/make-entry.ts'
import { rsaKeyOf } from '../../soft/keys.ts'
import { digest } from '../../tpm/hash.ts'
import { cat, filled, fromHex, text, toHex } from '../../tpm/write.ts'
import type { Evidence, JsonObject, Variant } from '../form.ts'
import { base64 } from '../quote/soft-quote.ts'
import { recorded } from '../recorded-quote.ts'
import {
  against,
  asciiList,
  asciiMeasured,
  contentOf,
  EITHER,
  ENTRIES,
  editedLine,
  FALSE_HASH,
  listEvidence,
  MISMATCH,
  PASS,
  policyOver,
  quoteOver,
  type Row,
  UNREADABLE,
  variantsOf,
} from './list-evidence.ts'

const PATH = '/usr/bin/signed'

function file(template: string, change: Partial<Measured> = {}): ImaEntry {
  return imaEntry(template, { path: PATH, digest: contentOf(PATH), ...change })
}

const SIGNER = rsaKeyOf('file signer')

/** Returns the key id of signatures: the last bytes of the SHA-1 of the RSAPublicKey. */
function keyIdOf(key: KeyObject): Uint8Array {
  const der = createPublicKey(key).export({ type: 'pkcs1', format: 'der' })
  return digest('sha1', new Uint8Array(der)).subarray(-4)
}

/** RSASSA over the content of a file. */
function signed(path: string): Uint8Array {
  return new Uint8Array(sign('sha256', text(`content of ${path}`), SIGNER))
}

interface SignatureOverrides {
  readonly type: string
  readonly keyId: Uint8Array
  readonly length: string
  readonly sig: Uint8Array
}

/** Returns a security.ima attribute: type and version, hash, key id, length of the signature, signature. */
function attribute(change: Partial<SignatureOverrides> = {}): Uint8Array {
  const sound = { type: '0302', keyId: keyIdOf(SIGNER), length: '0100', sig: signed(PATH) }
  const { type, keyId, length, sig } = { ...sound, ...change }
  return cat(fromHex(`${type}04`), keyId, fromHex(length), sig)
}

function signedEntries(signature: Uint8Array): readonly ImaEntry[] {
  return [...ENTRIES, file('ima-sig', { signature })]
}

/** A file that the policy does not list, signed by a key of the policy. */
export function signedBaseline(): Evidence {
  const spki = createPublicKey(SIGNER).export({ type: 'spki', format: 'der' })
  const keyids = [Number(`0x${toHex(keyIdOf(SIGNER))}`)]
  const keyring = { meta: { version: 1 }, keyids, pubkeys: [base64(new Uint8Array(spki))] }
  return {
    ...listEvidence(signedEntries(attribute()), 'ascii'),
    ...policyOver(ENTRIES, { 'verification-keys': JSON.stringify(keyring) }),
  }
}

const UNLISTED = against('ima.validation.ima-sig.not_in_allowlist')
const FORGED = against('ima.validator.ima-sig.invalid_signature')

function falseSignature(slug: string, what: string, change: Partial<SignatureOverrides>): Row {
  return { slug, what, change: asciiMeasured(signedEntries(attribute(change))), ...UNLISTED }
}

/** Case 67: invalid file signatures, on a file that the policy does not list. */
export function falseSignatures(): readonly Variant[] {
  const [type = 0] = attribute()
  return variantsOf('e6', 67, 'signed', [
    {
      slug: 'odd-digits',
      what: 'The signature of a file has an odd number of digits',
      of: 'list',
      change: editedLine(3, (line) => `${line}030`),
      ...UNREADABLE,
    },
    {
      slug: 'not-measured',
      what: 'A signature is added to an entry that was measured without one',
      of: 'list',
      change: editedLine(3, (line) => `${line}${toHex(attribute())}`),
      ...MISMATCH,
    },
    falseSignature('version-1', 'A signature is of version 1', { type: '0301' }),
    falseSignature('portable-evm', 'A signature is one of EVM, which covers no content', {
      type: '0502',
    }),
    falseSignature('key-id-unknown', 'A signature names an unknown key', {
      keyId: filled(4, 0xd1),
    }),
    falseSignature('length-swapped', 'The length of a signature is in little-endian order', {
      length: '0001',
    }),
    falseSignature('length-beyond', 'The length of a signature is one more than there is', {
      length: '0101',
    }),
    {
      ...falseSignature('another-file', 'A signature is that of another file', {
        sig: signed('/usr/bin/another'),
      }),
      ...FORGED,
    },
    {
      ...falseSignature('ten-kilobytes', 'A signature has 10 KiB', {
        length: '2800',
        sig: filled(10_240, 0x5a),
      }),
      ...FORGED,
    },
    {
      slug: 'type-only',
      what: 'A signature consists of its type byte only',
      change: asciiMeasured(signedEntries(Uint8Array.of(type))),
      ...UNLISTED,
    },
  ])
}

function listed(slug: string, what: string, entry: ImaEntry): Row {
  const entries = [...ENTRIES, entry]
  return { slug, what, change: { ...asciiMeasured(entries), ...policyOver(entries) }, ...PASS }
}

function certificate(): Uint8Array {
  const pem = Buffer.from(recorded('swtpm-localca-rootca-cert.pem')).toString('latin1')
  return new Uint8Array(Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64'))
}

/** The certificate given twice as one key; a reader may accept or reject it. */
function twoCertificates(): JsonObject {
  const entries = [...ENTRIES, imaBufEntry('.ima', cat(certificate(), certificate()))]
  return { ...asciiMeasured(entries), ...policyOver(entries) }
}

const THREE_BYTES = 'AAA'
const LONG_BUFFER = 3 * Math.ceil((16 * 1024 * 1024) / THREE_BYTES.length)

/** A long buffer in parts; the length of its label makes the parts whole base64 groups. */
function longBuffer(): JsonObject {
  const before = writeAsciiList(ENTRIES)
  const labels = ['label', 'label_', 'label__'].map((label) => {
    const entry = imaBufEntry(label, filled(LONG_BUFFER, THREE_BYTES.charCodeAt(0)))
    const line = text(`10 ${toHex(entry.templateHash)} ima-buf `)
    const digestText = `sha256:${toHex(entry.fields[0]?.subarray(8) ?? filled(0))}`
    return { entry, head: cat(before, line, text(`${digestText} ${label} `)) }
  })
  const fitting = labels.find(({ head }) => head.length % 3 === 0)
  if (fitting === undefined) throw new RangeError('no label of three lengths fits')
  const entries = [...ENTRIES, fitting.entry]
  const digits = toHex(text(THREE_BYTES))
  const hex = { $repeat: base64(text(digits)), count: LONG_BUFFER / THREE_BYTES.length }
  const list = { $concat: [base64(fitting.head), hex, base64(text('\n'))] }
  return { ...quoteOver(entries), ...asciiList(list), ...policyOver(entries) }
}

/** A machine can measure any buffer under any digest. */
function withAllowedDigest(): ImaEntry {
  const [, allowed] = ENTRIES
  const fields = [...(allowed?.fields.slice(0, 2) ?? []), text('6.6.6-evil')]
  return hashedEntry({ template: 'ima-buf', fields })
}

/** Case 68: buffers that are critical data, or keys. */
export function buffers(): readonly Variant[] {
  return variantsOf('e6', 68, 'list', [
    {
      slug: 'not-hex',
      what: 'A buffer is no hexadecimal text',
      change: editedLine(1, (line) => line.replace(/[0-9a-f]{2}$/, 'zz')),
      ...UNREADABLE,
    },
    {
      slug: 'other-data',
      what: 'A buffer is another one than was measured',
      change: editedLine(1, (line) => line.replace(/[0-9a-f]{2}$/, '00')),
      ...MISMATCH,
    },
    {
      slug: 'false-digest',
      what: 'A buffer has the digest of another buffer, which is allowed',
      change: asciiMeasured([...ENTRIES, withAllowedDigest()]),
      ...FALSE_HASH,
    },
    listed(
      'dm-table',
      'A device mapper table of 64 KiB is allowed',
      imaBufEntry('dm_table_load', text('dm_version=4.45.0;'.padEnd(65_536, 'x'))),
    ),
    listed('key', 'A certificate in a keyring is allowed', imaBufEntry('.ima', certificate())),
    {
      slug: 'key-unlisted',
      what: 'A certificate was added to a keyring that the policy does not know',
      change: asciiMeasured([...ENTRIES, imaBufEntry('.ima', certificate())]),
      ...against('ima.validation.ima-buf.not_in_allowlist'),
    },
    {
      slug: 'two-certificates',
      what: 'Two certificates were added to a keyring as one key',
      change: twoCertificates(),
      ...EITHER,
    },
    {
      slug: 'megabytes',
      what: 'A buffer of 16 MiB is allowed',
      change: longBuffer(),
      ...EITHER,
    },
  ])
}

/** Case 69: templates with many columns, some of them empty. */
export function manyColumns(): readonly Variant[] {
  const pkcs7 = filled(9216, 0x30)
  const evm = {
    signature: fromHex('0502'),
    xattrs: new Map([['security.ima', fromHex('0404')]]),
    uid: 0,
    gid: 1000,
    mode: 0o100755,
  }
  return variantsOf('e6', 69, 'list', [
    listed('evm-empty', 'An allowed file has no EVM signature', file('evm-sig')),
    listed('evm', 'An allowed file has an EVM signature', file('evm-sig', { evm })),
    listed('modsig-empty', 'An allowed file has no appended signature', file('ima-modsig')),
    listed(
      'modsig',
      'An allowed file has an appended signature of 9 KiB',
      file('ima-modsig', { modsig: { digest: contentOf('without'), pkcs7 } }),
    ),
    listed(
      'original',
      'An allowed file is in the original template',
      file('ima', { digest: filled(20, 9) }),
    ),
    listed('fields', 'An allowed file is in a template without a name', file('d-ng|n-ng|sig')),
  ])
}
