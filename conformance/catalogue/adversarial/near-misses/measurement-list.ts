import { writeAsciiEntry, writeAsciiList } from '../../../../simulator/ima/ascii.ts'
import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { hashedEntry, violationEntry } from '../../../../simulator/ima/make-entry.ts'
import { cat, filled, text } from '../../../../simulator/tpm/write.ts'
import { measuredPcr, ran } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { bankValues } from '../../../../simulator/vectors/quote/attest-overrides.ts'
import {
  AGGREGATE,
  FILES,
  FIRST,
  many,
  measured,
  pcr10Of,
  SECOND,
  THIRD,
  ZEROS_AROUND,
} from './list-evidence.ts'
import { LIST_TEMPLATES } from './list-templates.ts'
import { LIST_TEXTS } from './list-texts.ts'
import { MEASURED_BUFFERS } from './measured-buffers.ts'
import { ALTERATIONS, type NearMiss, type NearMissGroup, sameStart } from './near-miss.ts'

const [HASH, PCR] = ['VER-EVIDENCE-IMA-HASH', 'VER-EVIDENCE-IMA-PCR']
const [UNREADABLE, REPLAYS] = ['VER-EVIDENCE-IMA-UNREADABLE', 'VER-EVIDENCE-IMA-REPLAYS']
const VIOLATION = 'VER-EVIDENCE-IMA-VIOLATION'

/** A list that the policy allows; its PCR 10 is that of these entries. */
function broken(breaks: string, sends: string, entries: readonly ImaEntry[]): NearMiss {
  return { sends, breaks, evidence: () => measured(entries, { listed: FILES }) }
}

function hashAltered(entry: ImaEntry, alter: (bytes: Uint8Array) => Uint8Array): ImaEntry {
  return { ...entry, templateHash: alter(entry.templateHash) }
}

const HASHES: readonly NearMiss[] = [
  ...ALTERATIONS.map(([says, alter]) =>
    broken(HASH, `a list with a template hash ${says}`, [AGGREGATE, hashAltered(FIRST, alter)]),
  ),
  broken(HASH, 'a false template hash in ima-sig', [AGGREGATE, hashAltered(SECOND, sameStart)]),
  broken(HASH, 'a false template hash in the first entry', [
    hashAltered(AGGREGATE, sameStart),
    FIRST,
  ]),
  broken(HASH, 'the same entry with a false template hash twice', [
    AGGREGATE,
    hashAltered(FIRST, sameStart),
    hashAltered(FIRST, sameStart),
  ]),
  {
    sends: 'three hundred entries with a false template hash',
    breaks: HASH,
    evidence: () => measured([AGGREGATE, ...many(300).map((one) => hashAltered(one, sameStart))]),
  },
]

/** A list with an entry for another PCR, which is part of PCR 10 or not. */
const PCRS: readonly NearMiss[] = [0, 1, 9, 11, 20, 23].flatMap((pcr) => {
  const entries = [AGGREGATE, { ...FIRST, pcr }, THIRD]
  return [
    broken(PCR, `a list with an entry for PCR ${pcr} that extended PCR 10`, entries),
    {
      sends: `a list with an entry for PCR ${pcr} that did not extend PCR 10`,
      breaks: PCR,
      evidence: () => measured(entries, { listed: FILES, pcr10: measuredPcr([AGGREGATE, THIRD]) }),
    },
  ]
})

const VIOLATIONS: readonly NearMiss[] = ['ima-ng', 'ima-sig'].flatMap((template) => [
  broken(VIOLATION, `a violation in ${template} as the last entry`, [
    ...FILES,
    violationEntry('/usr/bin/first', template),
  ]),
  broken(VIOLATION, `a violation in ${template} before a good entry`, [
    AGGREGATE,
    violationEntry('/usr/bin/first', template),
    FIRST,
  ]),
])

/** The list with a line that is none, at a place. */
function withLine(sends: string, line: string, at: number): NearMiss {
  return {
    sends: `a list with ${sends} before entry ${at}`,
    breaks: UNREADABLE,
    evidence: () => {
      const lines = FILES.map(writeAsciiEntry)
      return measured(FILES, { sent: cat(...lines.toSpliced(at, 0, text(line))) })
    },
  }
}

const LINES: readonly NearMiss[] = [
  ...[0, 2, FILES.length].flatMap((at) => [
    withLine('a comment', '# a comment\n', at),
    withLine('a short line', '10 x\n', at),
    withLine('a line of blanks', '    \n', at),
  ]),
  withLine('text without a newline', '10 ', FILES.length),
  {
    sends: 'an entry of a template that does not exist',
    breaks: UNREADABLE,
    evidence: () => {
      const entry = hashedEntry({ ...ran('/usr/bin/first'), template: 'ima-none' })
      return measured([...FILES, entry], { listed: FILES })
    },
  },
  {
    sends: 'an entry of a template that does not exist, which did not extend PCR 10',
    breaks: UNREADABLE,
    evidence: () => {
      const entry = hashedEntry({ ...ran('/usr/bin/first'), template: 'ima-none' })
      const sent = writeAsciiList([AGGREGATE, entry, ...FILES.slice(1)])
      return measured(FILES, { sent })
    },
  },
]

const REPLAYED: readonly NearMiss[] = [
  ...ALTERATIONS.map(
    ([says, alter]): NearMiss => ({
      sends: `a list that replays to a value ${says} as PCR 10`,
      breaks: REPLAYS,
      evidence: () => measured(FILES, { pcr10: alter(measuredPcr(FILES)) }),
    }),
  ),
  {
    sends: 'the last of them once more',
    breaks: REPLAYS,
    evidence: () => {
      const alter = ALTERATIONS.at(-1)?.[1] ?? sameStart
      return measured(FILES, { pcr10: alter(measuredPcr(FILES)) })
    },
  },
  ...['', '\n', '  \n\n'].map(
    (list): NearMiss => ({
      sends: `the list ${JSON.stringify(list)}`,
      breaks: REPLAYS,
      evidence: () => measured(FILES, { sent: text(list) }),
    }),
  ),
  {
    sends: 'a list of files with a PCR 10 that was never extended',
    breaks: REPLAYS,
    evidence: () => measured([FIRST, THIRD], { pcr10: filled(32) }),
  },
  {
    sends: 'a list without the file that was measured last',
    breaks: REPLAYS,
    evidence: () => measured(FILES, { sent: writeAsciiList(FILES.slice(0, -1)) }),
  },
]

/** A quote of two banks, each after some of the files. */
function quotedBanks(
  says: string,
  [sha1, sha256]: readonly [readonly ImaEntry[], readonly ImaEntry[]],
  breaks?: string,
): NearMiss {
  const forms = ['several-banks'] as const
  return {
    sends: `a list with the quote of two banks, ${says}`,
    forms,
    ...(breaks && { breaks }),
    evidence: () =>
      measured(FILES, {
        banks: [pcr10Of('sha1', sha1), pcr10Of('sha256', sha256)],
      }),
  }
}

/** Entries that no list has. */
const STRANGE: readonly ImaEntry[] = [ran('/usr/bin/stranger')]

const BANKS: readonly NearMiss[] = [
  quotedBanks('both after all files', [FILES, FILES]),
  {
    sends: 'a list with the quote of two banks, of which SHA-1 lacks PCR 10',
    forms: ['several-banks'],
    evidence: () => measured(FILES, { banks: [bankValues('sha1', [9]), pcr10Of('sha256', FILES)] }),
  },
  quotedBanks('SHA-1 after other files', [STRANGE, FILES], REPLAYS),
  quotedBanks('SHA-256 after other files', [FILES, STRANGE], REPLAYS),
  quotedBanks('SHA-1 after fewer files', [FILES.slice(0, 3), FILES], REPLAYS),
  {
    sends: 'a list with a quote that lacks PCR 10',
    breaks: PCR,
    evidence: () => measured(FILES, { banks: [bankValues('sha256', [9, 11])] }),
  },
]

const MISNAMED: readonly NearMiss[] = (
  [
    ['sha256', 31],
    ['sha256', 33],
    ['sha257', 32],
    ['sha', 20],
  ] as const
).map(([name, size]) => ({
  sends: `a digest of ${name} with ${size} bytes that is listed`,
  breaks: 'VER-EVIDENCE-IMA-DIGEST-NAMED',
  evidence: () => {
    const head = cat(text(`${name}:`), filled(1), filled(size, 7))
    return measured([
      AGGREGATE,
      hashedEntry({ ...FIRST, fields: [head, ...FIRST.fields.slice(1)] }),
    ])
  },
}))

export const MEASUREMENT_LIST: NearMissGroup = {
  id: 'measurement-list',
  title: 'The verifier compares every entry of a measurement list with its hash and PCR 10',
  rows: [
    { sends: 'a good list', evidence: () => measured(FILES) },
    { sends: 'a list of the boot_aggregate alone', evidence: () => measured([AGGREGATE]) },
    {
      sends: 'a list with a template hash that begins and ends with zeros',
      evidence: () => measured([...FILES, ZEROS_AROUND, THIRD]),
    },
    ...HASHES,
    ...PCRS,
    ...VIOLATIONS,
    ...LINES,
    ...REPLAYED,
    ...BANKS,
    ...MISNAMED,
    ...LIST_TEXTS,
    ...LIST_TEMPLATES,
    ...MEASURED_BUFFERS,
    { sends: 'a good list again', evidence: () => measured(FILES) },
  ],
}
