import { writeAsciiEntry } from '../../../../simulator/ima/ascii.ts'
import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { hashedEntry, imaEntry } from '../../../../simulator/ima/make-entry.ts'
import { filled, text, toHex } from '../../../../simulator/tpm/write.ts'
import { contentOf } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { AGGREGATE, FILES, FIRST, measured, SECOND, THIRD } from './list-evidence.ts'
import type { NearMiss } from './near-miss.ts'

const [ALTERED, UNREADABLE] = ['VER-EVIDENCE-IMA-BENT', 'VER-EVIDENCE-IMA-UNREADABLE']
const POLICY = 'VER-EVIDENCE-RUNTIME-JUDGES'
const PATH = '/usr/bin/first'

/** The list of a machine that measured these entries, with the text of the last one edited. */
function edited(
  breaks: string,
  sends: string,
  entries: readonly ImaEntry[],
  edit: (line: string) => string,
  listed = entries,
): NearMiss {
  return {
    sends,
    breaks,
    evidence: () => {
      const lines = entries.map((entry) => Buffer.from(writeAsciiEntry(entry)).toString('latin1'))
      const changed = lines.map((line, at) => (at === entries.length - 1 ? edit(line) : line))
      return measured(entries, {
        listed,
        sent: new Uint8Array(Buffer.from(changed.join(''), 'latin1')),
      })
    },
  }
}

/** Columns that are a 10 for a reader who subtracts the code of zero from any character. */
const PCRS: readonly NearMiss[] = [' :', '2&'].map((column) =>
  edited(
    UNREADABLE,
    `a list with ${JSON.stringify(column)} as the PCR of an entry`,
    FILES,
    (line) => line.replace(/^10/, column),
  ),
)

/** Columns with a letter for the blank between them. */
const SEPARATORS: readonly NearMiss[] = [
  edited(UNREADABLE, 'a letter between the PCR and the template hash', FILES, (line) =>
    line.replace(' ', 'x'),
  ),
  edited(UNREADABLE, 'a letter between the template hash and the template', FILES, (line) =>
    line.replace(' ima', 'xima'),
  ),
]

const NO_DIGIT = 'g'

/** The first byte below 16 with a letter for its zero. */
function withoutDigit(line: string): string {
  const hex = toHex(contentOf('/usr/bin/third'))
  const at = (hex.match(/../g) ?? []).findIndex((pair) => pair.startsWith('0'))
  if (at < 0) throw new RangeError('the digest has no byte below 16')
  return line.replace(hex, `${hex.slice(0, 2 * at)}${NO_DIGIT}${hex.slice(2 * at + 1)}`)
}

const DIGITS: readonly NearMiss[] = [
  edited(UNREADABLE, 'a digest with a letter that is no digit', FILES, withoutDigit),
  edited(ALTERED, 'a digest with half a byte more', FILES, (line) =>
    line.replace(/(sha256:[0-9a-f]+)/, '$1a'),
  ),
  edited(ALTERED, 'half a byte for a signature', [AGGREGATE, FIRST, SECOND], (line) =>
    line.replace(/\n$/, '3\n'),
  ),
]

const SHA1 = filled(20, 9)
const LONGER = `${PATH}\0x`
const withLonger = (line: string) => line.replace(PATH, LONGER)

/** Paths with a zero byte, at which a reader of texts in C stops. */
const ZERO_BYTES: readonly NearMiss[] = [
  edited(ALTERED, 'a path with a zero byte and more behind it', [AGGREGATE, FIRST], withLonger),
  edited(
    POLICY,
    'a path with a zero byte and more, which was measured so',
    [
      AGGREGATE,
      hashedEntry({ ...FIRST, fields: [FIRST.fields[0] ?? filled(0), text(`${LONGER}\0`)] }),
    ],
    withLonger,
    FILES,
  ),
  edited(
    POLICY,
    'a path in the template ima with a zero byte and more, which was measured so',
    [AGGREGATE, hashedEntry({ template: 'ima', fields: [SHA1, text(LONGER)] })],
    withLonger,
    [AGGREGATE, imaEntry('ima', { path: PATH, digest: SHA1 })],
  ),
]

const LONGEST = `/${'x'.repeat(255)}`

/** Lines with a field less, or more than the field holds that was measured. */
const FIELDS: readonly NearMiss[] = [
  edited(UNREADABLE, 'a first entry whose digest has no algorithm', [AGGREGATE], (line) =>
    line.replace('sha256:', ''),
  ),
  edited(UNREADABLE, 'a last line that ends behind its digest', FILES, (line) =>
    line.replace(/ [^ ]+\n$/, '\n'),
  ),
  edited(
    ALTERED,
    'a path of 256 bytes in the template ima, with more behind it',
    [AGGREGATE, hashedEntry({ template: 'ima', fields: [SHA1, text(LONGEST)] })],
    (line) => line.replace(LONGEST, `${LONGEST}.sh`),
  ),
]

/** A listed file of this owner in the template evm-sig, whose owner is written in another way. */
function owned(uid: number, written: string): NearMiss {
  const xattrs = new Map([['security.ima', filled(2, 4)]])
  const evm = { signature: filled(2, 5), xattrs, uid, gid: 7, mode: 0o100755 }
  const entry = imaEntry('evm-sig', { path: PATH, digest: contentOf(PATH), evm })
  return edited(
    ALTERED,
    `an entry of the owner ${uid}, written as ${written}`,
    [AGGREGATE, THIRD, entry],
    (line) => line.replace(` ${uid} 7 `, ` ${written} 7 `),
  )
}

const OWNERS: readonly NearMiss[] = [
  owned(1000, '1e3'),
  owned(1000, String(2 ** 32 + 1000)),
  owned(0, String(2 ** 32)),
]

/** Lists that a lenient reader takes for what the kernel wrote, so that they replay. */
export const LIST_TEXTS: readonly NearMiss[] = [
  ...PCRS,
  ...SEPARATORS,
  ...DIGITS,
  ...ZERO_BYTES,
  ...FIELDS,
  ...OWNERS,
]
