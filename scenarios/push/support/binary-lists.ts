import type { Defect } from '../../../conformance/client/agents/evidence.ts'
import type { ImaEntry } from '../../../simulator/ima/list.ts'
import { hashedEntry, imaEntry } from '../../../simulator/ima/make-entry.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { filled, fromHex, text } from '../../../simulator/tpm/write.ts'
import { LISTED, LISTED_DIGEST } from './continuations.ts'

/** A binary list that must not pass. */
interface BinaryMiss {
  /** Completes "evaluation of a binary list with …". */
  readonly says: string
  /** An entry that the machine measures before it attests. */
  readonly entry?: ImaEntry
  readonly change?: Defect
  readonly breaks: string
}

/** SHA-1 of the content of the listed file, for the oldest template. */
export const LISTED_SHA1 = digest('sha1', text(LISTED))

/** The path that a text decoder makes of the one that is not UTF-8. */
export const REPLACED = '/usr/bin/\u{fffd}'

const listed = imaEntry('ima-ng', { path: LISTED, digest: fromHex(LISTED_DIGEST) })
const [digestField = filled(0)] = listed.fields
const longer = text(`${LISTED}\0.sh\0`)
const notUtf8 = Uint8Array.of(...text('/usr/bin/'), 0xff, 0)

/** Sets a byte of the first entry, which begins with its PCR as a number of four bytes. */
function firstEntry(at: number, value: number): Defect {
  return { imaList: (list) => list.with(at, value) }
}

export const BINARY_MISSES: readonly BinaryMiss[] = [
  { says: 'an entry for PCR 266', change: firstEntry(1, 1), breaks: 'ATT-EVIDENCE-BENT' },
  { says: 'an entry for PCR 65546', change: firstEntry(2, 1), breaks: 'ATT-EVIDENCE-BENT' },
  {
    says: 'an entry with a field behind those of its template',
    entry: hashedEntry({ ...listed, fields: [...listed.fields, text('more')] }),
    breaks: 'ATT-EVIDENCE-BENT',
  },
  {
    says: 'a path that is no UTF-8 where the policy lists its replacement character',
    entry: hashedEntry({ ...listed, fields: [digestField, notUtf8] }),
    breaks: 'ATT-RUNTIME-POLICY-JUDGES',
  },
  {
    says: 'a listed path, a zero byte and more',
    entry: hashedEntry({ ...listed, fields: [digestField, longer] }),
    breaks: 'ATT-RUNTIME-POLICY-JUDGES',
  },
  {
    says: 'a listed path, a zero byte and more in the template ima',
    entry: hashedEntry({ template: 'ima', fields: [LISTED_SHA1, longer] }),
    breaks: 'ATT-RUNTIME-POLICY-JUDGES',
  },
]
