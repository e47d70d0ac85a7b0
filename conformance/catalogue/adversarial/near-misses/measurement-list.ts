import { writeAsciiEntry, writeAsciiList } from '../../../../simulator/ima/ascii.ts'
import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { hashedEntry, imaBufEntry, violationEntry } from '../../../../simulator/ima/make-entry.ts'
import { cat, filled, text } from '../../../../simulator/tpm/write.ts'
import { contentOf, measuredPcr, ran } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { bankValues } from '../../../../simulator/vectors/quote/attest-overrides.ts'
import { recorded } from '../../../../simulator/vectors/recorded-quote.ts'
import {
  AGGREGATE,
  FILES,
  FIRST,
  measured,
  pcr10Of,
  SECOND,
  THIRD,
  ZEROS_FIRST,
} from './list-evidence.ts'
import { ALTERATIONS, type NearMiss, type NearMissGroup, sameStart } from './near-miss.ts'

const [HASH, PCR, BUFFER] = [
  'VER-EVIDENCE-IMA-HASH',
  'VER-EVIDENCE-IMA-PCR',
  'VER-EVIDENCE-IMA-BUFFER',
]
const [UNREADABLE, REPLAYS] = ['VER-EVIDENCE-IMA-UNREADABLE', 'VER-EVIDENCE-IMA-REPLAYS']
const [POLICY, VIOLATION] = ['VER-EVIDENCE-RUNTIME-JUDGES', 'VER-EVIDENCE-IMA-VIOLATION']

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
]

export const MEASUREMENT_LIST: NearMissGroup = {
  id: 'measurement-list',
  title: 'The verifier compares every entry of a measurement list with its hash and PCR 10',
  rows: [
    { sends: 'a good list', evidence: () => measured(FILES) },
    {
      sends: 'a list with a template hash that begins with zeros',
      evidence: () => measured([...FILES, ZEROS_FIRST, THIRD]),
    },
    ...HASHES,
    ...PCRS,
    ...VIOLATIONS,
    ...LINES,
    ...REPLAYED,
    ...BANKS,
    ...MISNAMED,
    ...CRITICAL_DATA,
    ...KEYS,
    MISDIGESTED,
    { sends: 'a good list again', evidence: () => measured(FILES) },
  ],
}
