import { writeAsciiList } from '../../ima/ascii.ts'
import type { Measured } from '../../ima/fields.ts'
import type { ImaEntry } from '../../ima/list.ts'
import { imaBufEntry, imaEntry } from '../../ima/make-entry.ts'
import { cat, filled, fromHex, text, toHex } from '../../tpm/write.ts'
import type { JsonObject, Variant } from '../form.ts'
import { recorded } from '../recorded-quote.ts'
import { base64 } from '../soft-quote.ts'
import {
  against,
  asciiList,
  asciiMeasured,
  contentOf,
  EITHER,
  ENTRIES,
  editedLine,
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

/** A security.ima attribute of version 2: type 03, hash SHA-256, key id, length big-endian, signature. */
function signatureOf(head: string, length: string, signature: Uint8Array): Uint8Array {
  return cat(fromHex(`${head}04${'d1a2b3c4'}${length}`), signature)
}

const SIGNATURE = filled(256, 0x5a)

function measuredSignature(slug: string, what: string, signature: Uint8Array): Row {
  const change = asciiMeasured([...ENTRIES, file('ima-sig', { signature })])
  return { slug, what, change, ...against('ima.validation.ima-sig.not_in_allowlist') }
}

/** Case 67: file signatures that vouch for nothing, on a file that the policy does not list. */
export function falseSignatures(): readonly Variant[] {
  return variantsOf('e6', 67, 'list', [
    {
      slug: 'odd-digits',
      what: 'The signature of a file has an odd number of digits',
      change: editedLine(3, (line) => `${line}030`),
      ...UNREADABLE,
    },
    {
      slug: 'not-measured',
      what: 'A signature is added to an entry that was measured without one',
      change: editedLine(3, (line) => `${line}0302`),
      ...MISMATCH,
    },
    measuredSignature(
      'version-1',
      'A signature is of version 1',
      signatureOf('0301', '0100', SIGNATURE),
    ),
    measuredSignature(
      'key-id-unknown',
      'A signature is by a key that nobody knows',
      signatureOf('0302', '0100', SIGNATURE),
    ),
    measuredSignature(
      'portable-evm',
      'A signature is one of EVM, which covers no content',
      signatureOf('0502', '0100', SIGNATURE),
    ),
    measuredSignature(
      'length-swapped',
      'The length of a signature is in little-endian order',
      signatureOf('0302', '0001', SIGNATURE),
    ),
    measuredSignature(
      'length-beyond',
      'The length of a signature is one more than there is',
      signatureOf('0302', '0101', SIGNATURE),
    ),
    measuredSignature(
      'ten-kilobytes',
      'A signature has 10 KiB',
      signatureOf('0302', '2800', filled(10_240, 0x5a)),
    ),
    measuredSignature('type-only', 'A signature is its type and nothing more', fromHex('03')),
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

/** The certificate twice over as one key: whether that is a key at all is for whoever reads it. */
function twoCertificates(): JsonObject {
  const entries = [...ENTRIES, imaBufEntry('.ima', cat(certificate(), certificate()))]
  return { ...asciiMeasured(entries), ...policyOver(entries) }
}

const THREE_BYTES = 'AAA'
const LONG_BUFFER = 3 * Math.ceil((16 * 1024 * 1024) / THREE_BYTES.length)

/** A long buffer in parts; its label is as long as base64 needs, so that the parts are whole groups. */
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

/** Case 69: templates with many columns, of which some are empty. */
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
