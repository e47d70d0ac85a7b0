import { writeAsciiList } from '../../../../simulator/ima/ascii.ts'
import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { hashedEntry } from '../../../../simulator/ima/make-entry.ts'
import { cat, filled, text, toHex } from '../../../../simulator/tpm/write.ts'
import { contentOf } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { AGGREGATE, FILES, file, measured } from './list-evidence.ts'
import type { NearMiss } from './near-miss.ts'

const NAMED = 'VER-EVIDENCE-IMA-DIGEST-NAMED'
const PATH = '/usr/bin/first'
const OTHER = '/usr/bin/other'

function digestField(digest: Uint8Array, named = 'sha256:'): Uint8Array {
  return cat(text(named), filled(1), digest)
}

const [GOOD, BAD] = [digestField(contentOf(PATH)), digestField(contentOf(OTHER))]
const [LISTED, UNLISTED] = [text(`${PATH}\0`), text(`${OTHER}\0`)]

/** An entry of any format behind files, of which a policy lists the first. */
function ofFormat(
  breaks: string,
  sends: string,
  template: string,
  fields: readonly Uint8Array[],
  listed: readonly ImaEntry[] = FILES,
): NearMiss {
  return {
    sends,
    breaks,
    evidence: () => measured([...FILES, hashedEntry({ template, fields })], { listed }),
  }
}

/** An entry that says twice what it is of: only one of the two is listed. */
const TWICE: readonly NearMiss[] = (
  [
    ['with an unlisted digest before a listed one', 'd-ng|d-ng|n-ng', [BAD, GOOD, LISTED]],
    ['with a listed digest before an unlisted one', 'd-ng|d-ng|n-ng', [GOOD, BAD, LISTED]],
    ['with an unlisted name before a listed one', 'd-ng|n-ng|n-ng', [GOOD, UNLISTED, LISTED]],
    ['with a listed name before an unlisted one', 'd-ng|n-ng|n-ng', [GOOD, LISTED, UNLISTED]],
  ] as const
).map(([says, template, fields]) =>
  ofFormat('VER-EVIDENCE-RUNTIME-JUDGES', `an entry ${says}`, template, fields),
)

/** A format with a field that no kernel has, of which nothing was measured. */
const UNKNOWN_FIELD: NearMiss = {
  sends: 'an entry whose format has an unknown field',
  breaks: 'VER-EVIDENCE-IMA-UNREADABLE',
  evidence: () => {
    const template = 'd-ng|n-ng|none'
    const entry = hashedEntry({ template, fields: [GOOD, LISTED] })
    const head = `10 ${toHex(entry.templateHash)} ${template}`
    const line = text(`${head} sha256:${toHex(contentOf(PATH))} ${PATH}\n`)
    return measured([...FILES, entry], {
      listed: FILES,
      sent: cat(writeAsciiList(FILES), line),
    })
  },
}

/** The first byte of the name as the last one of the digest. */
const SHIFTED: NearMiss = {
  sends: 'a digest of 21 bytes in the template ima, the last of which begins the path',
  breaks: NAMED,
  evidence: () => {
    const sha1 = contentOf(PATH).subarray(0, 20)
    const fields = [cat(sha1, text('/')), text(PATH.slice(1))]
    const entry = hashedEntry({ template: 'ima', fields })
    return measured([AGGREGATE, entry], { listed: [AGGREGATE, file(PATH, sha1, 'ima')] })
  },
}

const MISNAMED: readonly NearMiss[] = [
  ofFormat(NAMED, 'a digest of the unknown kind xima', 'ima-ngv2', [
    digestField(contentOf(PATH), 'xima:sha256:'),
    LISTED,
  ]),
  ofFormat(NAMED, 'a digest of ima:sha256 and another name behind it', 'ima-ngv2', [
    digestField(contentOf(PATH), 'ima:sha256:sha256:'),
    LISTED,
  ]),
  ofFormat(NAMED, 'a digest of 32 bytes in a field for MD5 or SHA-1', 'd|n-ng', [
    contentOf(PATH),
    LISTED,
  ]),
  ofFormat(NAMED, 'an appended digest of 31 bytes of sha256', 'ima-modsig', [
    ...[GOOD, LISTED, filled(0)],
    ...[digestField(filled(31, 7)), filled(2, 0x30)],
  ]),
  SHIFTED,
]

/** Entries whose format or digest does not say clearly what was measured. */
export const LIST_TEMPLATES: readonly NearMiss[] = [...TWICE, UNKNOWN_FIELD, ...MISNAMED]
