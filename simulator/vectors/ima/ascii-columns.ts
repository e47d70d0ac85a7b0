import { writeAsciiList } from '../../ima/ascii.ts'
import type { ImaEntry } from '../../ima/list.ts'
import { hashedEntry, violationEntry } from '../../ima/make-entry.ts'
import { digest } from '../../tpm/hash.ts'
import { cat, filled, text, toHex } from '../../tpm/write.ts'
import type { Variant } from '../form.ts'
import {
  against,
  asciiList,
  asciiMeasured,
  contentOf,
  EITHER,
  ENTRIES,
  editedLine,
  FALSE_HASH,
  MISMATCH,
  NO_VALIDATOR,
  quoteOver,
  type Row,
  ran,
  UNREADABLE,
  variantsOf,
} from './list-evidence.ts'

const PATH = '/usr/bin/first'
const HASH_AT = 3
const HASH_END = HASH_AT + 40

function withHash(change: (hash: string) => string): (line: string) => string {
  return (line) =>
    line.slice(0, HASH_AT) + change(line.slice(HASH_AT, HASH_END)) + line.slice(HASH_END)
}

/** A violation that the list shows as an allowed file with a template hash of ones. */
function violationHidden(): Row {
  const hidden = { ...ran(PATH), templateHash: filled(20, 0xff) }
  const list = writeAsciiList([...ENTRIES, hidden])
  return {
    slug: 'ones-for-violation',
    what: 'A violation is shown as an allowed file, with ones for a template hash',
    change: { ...quoteOver([...ENTRIES, violationEntry(PATH)]), ...asciiList(list) },
    ...FALSE_HASH,
  }
}

/** Case 60: the template hash column. */
export function falseHashes(): readonly Variant[] {
  const whole = toHex(digest('sha256', text(PATH)))
  return variantsOf('e6', 60, 'list', [
    violationHidden(),
    {
      slug: 'false-name',
      what: 'The last entry names another file that is allowed, with ones for a template hash',
      change: editedLine(4, (line) =>
        withHash(() => 'ff'.repeat(20))(line.replace('/usr/bin/third', PATH)),
      ),
      ...FALSE_HASH,
    },
    {
      slug: 'another',
      what: 'A template hash is not the hash of the measured fields',
      change: editedLine(
        2,
        withHash((hash) => whole.slice(0, hash.length)),
      ),
      ...FALSE_HASH,
    },
    {
      slug: 'zeros',
      what: 'An entry that is no violation has zeros for a template hash',
      change: editedLine(
        2,
        withHash(() => '00'.repeat(20)),
      ),
      ...MISMATCH,
    },
    {
      slug: 'sha256',
      what: 'A template hash has the 64 digits of SHA-256 in a list of SHA-1',
      change: editedLine(
        2,
        withHash(() => whole),
      ),
      ...UNREADABLE,
    },
    {
      slug: 'short',
      what: 'A template hash has 39 digits',
      change: editedLine(
        2,
        withHash((hash) => hash.slice(0, 39)),
      ),
      ...UNREADABLE,
    },
    {
      slug: 'long',
      what: 'A template hash has 41 digits',
      change: editedLine(
        2,
        withHash((hash) => `${hash}0`),
      ),
      ...UNREADABLE,
    },
    {
      slug: 'upper-case',
      what: 'A template hash is in upper case',
      change: editedLine(
        2,
        withHash((hash) => hash.toUpperCase()),
      ),
      ...EITHER,
    },
  ])
}

/** The baseline's list with one more entry for an allowed file, with this digest field. */
function prefixed(prefix: string, value: Uint8Array, template = 'ima-ng'): readonly ImaEntry[] {
  const fields = [cat(text(prefix), filled(1), value), text(`${PATH}\0`)]
  return [...ENTRIES, hashedEntry({ template, fields })]
}

function measuredPrefix(slug: string, what: string, entries: readonly ImaEntry[]): Row {
  return { slug, what, change: asciiMeasured(entries), ...NO_VALIDATOR }
}

/** Case 61: the algorithm before a digest. If the PCR agrees, the policy must reject the entry. */
export function falsePrefixes(): readonly Variant[] {
  const value = contentOf(PATH)
  const unlisted = against('ima.validation.ima-ng.runtime_policy_hash')
  return variantsOf('e6', 61, 'list', [
    {
      slug: 'missing',
      what: 'A digest has no algorithm before it',
      change: editedLine(2, (line) => line.replace('sha256:', '')),
      ...MISMATCH,
    },
    measuredPrefix(
      'upper-case',
      'The algorithm of a measured digest is in upper case',
      prefixed('SHA256:', value),
    ),
    measuredPrefix(
      'sha1-of-64-digits',
      'A measured digest of 64 digits is called SHA-1',
      prefixed('sha1:', value),
    ),
    measuredPrefix(
      'sha256-of-40-digits',
      'A measured digest of 40 digits is called SHA-256',
      prefixed('sha256:', value.subarray(12)),
    ),
    measuredPrefix(
      'empty',
      'The algorithm of a measured digest is empty, but for its colon',
      prefixed(':', value),
    ),
    measuredPrefix(
      'two',
      'A measured digest has two algorithms before it',
      prefixed('sha256:sha256:', value),
    ),
    measuredPrefix(
      'typed-in-ng',
      'A measured digest of ima-ng says of what it is, which only the second templates do',
      prefixed('ima:sha256:', value),
    ),
    measuredPrefix(
      'untyped-in-ngv2',
      'A measured digest of ima-ngv2 does not say of what it is',
      prefixed('sha256:', value, 'ima-ngv2'),
    ),
    {
      slug: 'md5',
      what: 'A measured digest is of MD5, and not in the policy',
      change: asciiMeasured(prefixed('md5:', filled(16, 7))),
      ...unlisted,
    },
    {
      slug: 'sm3',
      what: 'A measured digest is of SM3, and not in the policy',
      change: asciiMeasured(prefixed('sm3:', filled(32, 7))),
      ...unlisted,
    },
    {
      slug: 'sha3-like-sha256',
      what: 'A measured digest is called SHA3-256, and its digits are those in the policy',
      change: asciiMeasured(prefixed('sha3-256:', value)),
      ...EITHER,
    },
  ])
}

/** Case 65: the PCR column of an entry. */
export function falsePcrs(): readonly Variant[] {
  const columns: readonly (readonly [slug: string, column: string])[] = [
    ['leading-zero', '010'],
    ['exponent', '1e1'],
    ['negative', '-1'],
    ['two-to-the-32-more', '4294967306'],
  ]
  return variantsOf('e6', 65, 'list', [
    {
      slug: 'eleven',
      what: 'An entry is for PCR 11',
      change: editedLine(2, (line) => line.replace(/^10/, '11')),
      ...MISMATCH,
    },
    {
      slug: 'eleven-added',
      what: 'An entry for PCR 11, which was not quoted, is added',
      change: editedLine(2, (line) => `${line}\n${line.replace(/^10/, '11')}`),
      ...against('ima.validation.ima_pcr'),
    },
    ...columns.map(([slug, column]) => ({
      slug,
      what: `The PCR of an entry is written ${column}`,
      change: editedLine(2, (line: string) => line.replace(/^10/, column)),
      ...UNREADABLE,
    })),
    {
      slug: 'missing',
      what: 'An entry has no PCR',
      change: editedLine(2, (line) => line.replace(/^10 /, '')),
      ...UNREADABLE,
    },
  ])
}

/** Case 66: the template column, which no hash covers. */
export function falseTemplates(): readonly Variant[] {
  const renamed = (name: string) => editedLine(2, (line) => line.replace(' ima-ng ', ` ${name} `))
  return variantsOf('e6', 66, 'list', [
    {
      slug: 'nul',
      what: 'A zero byte follows the name of a template',
      change: renamed('ima-ng\0'),
      ...UNREADABLE,
    },
    {
      slug: 'upper-case',
      what: 'The name of a template is in upper case',
      change: renamed('IMA-NG'),
      ...UNREADABLE,
    },
    {
      slug: 'unknown',
      what: 'A template is one that no kernel has',
      change: renamed('ima-ngv3'),
      ...UNREADABLE,
    },
    {
      slug: 'long',
      what: 'The name of a template has 4096 characters',
      change: renamed('n'.repeat(4096)),
      ...UNREADABLE,
    },
    {
      slug: 'fields',
      what: 'A template is named by its fields, as kernels name those without a name',
      change: renamed('d-ng|n-ng'),
      ...EITHER,
    },
  ])
}
