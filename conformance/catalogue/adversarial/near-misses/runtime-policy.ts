import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { hashedEntry, imaEntry, violationEntry } from '../../../../simulator/ima/make-entry.ts'
import { digest } from '../../../../simulator/tpm/hash.ts'
import { cat, filled, text, toHex } from '../../../../simulator/tpm/write.ts'
import { contentOf, ran } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { AGGREGATE, FILES, FIRST, file, many, measured, SECOND, THIRD } from './list-evidence.ts'
import { ALTERATIONS, type NearMiss, type NearMissGroup } from './near-miss.ts'
import { signerOfFiles } from './signature-versions.ts'

const ROW = 'VER-EVIDENCE-RUNTIME-JUDGES'
const PATH = '/usr/bin/first'
const OTHER = digest('sha256', text('other content'))
const hex = (path: string) => toHex(contentOf(path))
const digests = (at: string, listed: readonly string[]) => ({
  digests: {
    ...Object.fromEntries(
      ['boot_aggregate', PATH, '/usr/bin/second', '/usr/bin/third'].map((path) => [
        path,
        [hex(path)],
      ]),
    ),
    [at]: listed,
  },
})

/** The files, with a policy that lists these digests for the first one. */
function listing(sends: string, listed: readonly string[], breaks?: string): NearMiss {
  return {
    sends: `a policy that lists ${sends}`,
    ...(breaks === undefined ? {} : { breaks }),
    evidence: () => measured(FILES, { policy: digests(PATH, listed) }),
  }
}

/** The files and others that the policy does not list. */
function unlisted(
  sends: string,
  entries: readonly ImaEntry[],
  extra: Partial<NearMiss> = {},
): NearMiss {
  return { sends, breaks: ROW, evidence: () => measured(entries, { listed: FILES }), ...extra }
}

const another = (at: number) => toHex(digest('sha256', text(`content ${at}`)))

const FOURTH = ran('/usr/bin/fourth')

/** A name that every object of JavaScript has. */
const INHERITED = 'constructor'

const LISTED: readonly NearMiss[] = [
  listing('the digest of a file first', [hex(PATH), another(1), another(2)]),
  listing('the digest of a file second', [another(1), hex(PATH), another(2)]),
  listing('the digest of a file last', [another(1), another(2), hex(PATH)]),
  { sends: 'a file that was measured twice', evidence: () => measured([...FILES, FIRST, FIRST]) },
  {
    sends: 'a file that was measured with two listed digests',
    evidence: () => measured([...FILES, file(PATH, OTHER), FIRST]),
  },
  { sends: 'a file with a relative path', evidence: () => measured([...FILES, ran('usr/bin/x')]) },
  {
    sends: `a file with the path ${INHERITED}`,
    evidence: () => measured([...FILES, ran(INHERITED)]),
  },
  {
    sends: 'a file with the replacement character U+FFFD in its path',
    evidence: () => measured([...FILES, ran('/usr/bin/\u{fffd}')]),
  },
  {
    sends: 'a file with two newlines in its path',
    forms: ['name-of-lines'],
    evidence: () => measured([...FILES, ran('/usr/bin/a\nb\nc')]),
  },
  {
    sends: 'three hundred files',
    evidence: () => measured([...FILES, ...many(300)]),
  },
  {
    sends: 'a file that was measured eleven times, and another one after it',
    evidence: () => measured([...FILES, ...Array.from({ length: 10 }, () => FIRST), FOURTH]),
  },
  {
    sends: 'a file whose path begins with a colon',
    evidence: () => measured([...FILES, ran(':x')]),
  },
  {
    sends: 'a file with a path of 255 bytes in the template ima',
    evidence: () => measured([...FILES, file(`/${'x'.repeat(254)}`, OTHER.subarray(0, 20), 'ima')]),
  },
]

const LINES = ran('/usr/bin/a\nb\nc')

/** A newline in a path is printed as it is, so that such an entry takes more than one line. */
const NEWLINES: readonly NearMiss[] = (
  [
    ['a file with two newlines in its path that was measured twice', [LINES, FIRST, LINES, FOURTH]],
    [
      'a file with two newlines in its path in the template ima-sig',
      [ran('/usr/bin/a\nb\nc', 'ima-sig')],
    ],
    ['three hundred files with a newline in their paths', many(300, '/usr/lib/a\n')],
    [
      'a file with a newline in its path after three hundred files',
      [...many(300), ran('/usr/bin/a\nb')],
    ],
  ] as const
).map(([sends, entries]) => ({
  sends,
  forms: ['name-of-lines'],
  evidence: () => measured([...FILES, ...entries]),
}))

/** The first file with a digest that begins with the listed one. */
const LONGER = hashedEntry({
  ...FIRST,
  fields: FIRST.fields.map((field, at) => (at === 0 ? cat(field, filled(1)) : field)),
})

const DIGESTS: readonly NearMiss[] = [
  ...ALTERATIONS.map(([says, alter]) =>
    listing(`a digest of a file ${says}`, [toHex(alter(contentOf(PATH)))], ROW),
  ),
  listing('no digest for a file', [], ROW),
  listing('the digest of another file', [hex('/usr/bin/third')], ROW),
  unlisted('a file with the first 20 bytes of its digest as one of SHA-1', [
    AGGREGATE,
    file(PATH, contentOf(PATH).subarray(0, 20)),
  ]),
  unlisted('a file with its digest and a byte more', [AGGREGATE, LONGER]),
  unlisted('a file with its SHA-1, which is not listed', [
    AGGREGATE,
    file(PATH, digest('sha1', text(`content of ${PATH}`))),
  ]),
  unlisted('a file with a digest of zeros', [AGGREGATE, file(PATH, filled(32)), THIRD]),
  unlisted('a boot_aggregate that is not listed', [file('boot_aggregate', OTHER), FIRST]),
]

const PATHS: readonly NearMiss[] = [
  '/USR/BIN/FIRST',
  '/usr/bin/First',
  '/opt/bin/first',
  '/first',
  '/usr/bin/first.sh',
  '/usr/bin/first/x',
  '/usr/bin/firs',
  '/usr/bin//first',
  '/usr/bin/./first',
  '/usr/bin/../bin/first',
  'usr/bin/first',
  '/usr/bin/first/',
  '/etc/boot_aggregate',
  'first',
].map((path) =>
  unlisted(`${path} with the digest of ${PATH}`, [...FILES, file(path, contentOf(PATH))]),
)

const [COMPOSED, DECOMPOSED] = ['/usr/bin/\u{e9}', '/usr/bin/e\u{301}']

/** A path is a sequence of bytes: to a kernel the two forms of a letter are two names. */
const UNICODE: NearMiss = {
  ...{ sends: 'a path that has another Unicode form than the listed one', breaks: ROW },
  evidence: () =>
    measured([...FILES, file(DECOMPOSED, contentOf(COMPOSED))], {
      listed: [...FILES, ran(COMPOSED)],
    }),
}

const BLANKS: readonly NearMiss[] = [`${PATH} (deleted)`, ` ${PATH}`, `${PATH} `].map((path) =>
  unlisted(`${JSON.stringify(path)} with the digest of ${PATH}`, [...FILES, unescaped(path)]),
)

/** An entry whose name contains blanks; the kernel writes `_` for them. */
function unescaped(path: string, signature?: Uint8Array): ImaEntry {
  const [digestField = filled(0)] = FIRST.fields
  const fields = [digestField, text(`${path}\0`)]
  return signature === undefined
    ? hashedEntry({ template: 'ima-ng', fields })
    : hashedEntry({ template: 'ima-sig', fields: [...fields, signature] })
}

const deleted = () => unescaped(`${PATH} (deleted)`, signerOfFiles().sign(text(PATH)))

/** The name is what lies between the digest and the signature. */
const BLANKS_BEFORE_A_SIGNATURE: readonly NearMiss[] = [
  {
    sends: `a signed file whose name begins with ${PATH} and a blank`,
    breaks: ROW,
    evidence: () => measured([...FILES, deleted()], { listed: FILES }),
  },
]

/** A file with another content than the policy lists. */
const BAD = file('/usr/bin/third', OTHER)

const PLACES: readonly NearMiss[] = [
  unlisted('a bad file as the first entry', [BAD, ...FILES]),
  unlisted('a bad file as the last entry', [...FILES, BAD]),
  unlisted('a bad file in the middle', [AGGREGATE, FIRST, BAD, SECOND, THIRD]),
  unlisted('the same once more', [AGGREGATE, FIRST, BAD, SECOND, THIRD]),
  unlisted('a bad file twice', [...FILES, BAD, BAD]),
  unlisted('a bad file before a good one with its path', [AGGREGATE, BAD, THIRD]),
  unlisted('a bad file after a good one with its path', [AGGREGATE, THIRD, BAD]),
  unlisted('a bad file after itself under a policy that listed it', [...FILES, BAD]),
  {
    sends: 'a bad file after three hundred good ones',
    breaks: ROW,
    evidence: () => measured([...FILES, ...many(300), BAD], { listed: [...FILES, ...many(300)] }),
  },
  unlisted('three hundred files that are not listed', [...FILES, ...many(300)]),
  {
    sends: 'a violation after three hundred good files',
    breaks: 'VER-EVIDENCE-IMA-VIOLATION',
    evidence: () => {
      const good = [...FILES, ...many(300)]
      return measured([...good, violationEntry(PATH, 'ima-ng')], { listed: good })
    },
  },
  ...['/tmp/x', '/proc/x', '/dev/shm/x', '/var/tmp/x', '/run/x', 'x', INHERITED].map((path) =>
    unlisted(`${path}, which is not listed`, [...FILES, ran(path)]),
  ),
]

const TEMPLATES: readonly NearMiss[] = [
  'ima-sig',
  'ima',
  'ima-ngv2',
  'ima-sigv2',
  'ima-modsig',
  'd-ng|n-ng',
].map((template) => {
  const isCommon = template === 'ima-sig' || template === 'ima'
  const content = template === 'ima' ? OTHER.subarray(0, 20) : OTHER
  return unlisted(
    `a bad file in the template ${template}`,
    [...FILES, file('/usr/bin/third', content, template)],
    isCommon ? {} : { forms: ['rare-template'] },
  )
})

/** The owner `nfsnobody` of a file on NFS: more than a signed number of 32 bits holds. */
const NFS_NOBODY = 2 ** 32 - 2
const OWNED: NearMiss = {
  sends: `a listed file of the owner and the group ${NFS_NOBODY} in the template evm-sig`,
  forms: ['rare-template'],
  evidence: () => {
    const xattrs = new Map([['security.ima', filled(2, 4)]])
    const owner = { uid: NFS_NOBODY, gid: NFS_NOBODY, mode: 0o100755 }
    const evm = { signature: filled(2, 5), xattrs, ...owner }
    return measured([...FILES, imaEntry('evm-sig', { path: PATH, digest: contentOf(PATH), evm })])
  },
}

/** Names of digests that a list has besides those of plain hashes; the policy lists the digest alone. */
const NAMED: readonly NearMiss[] = (
  [
    ['ima-ng', 'sha3-256:', 32],
    ['ima-ng', 'sm3-256:', 32],
    ['ima-ng', 'sha224:', 28],
    ['ima-ng', 'rmd160:', 20],
    ['ima-ngv2', 'verity:sha256:', 32],
  ] as const
).map(([template, named, size]) => ({
  sends: `a listed file whose digest is of ${named} in the template ${template}`,
  forms: ['rare-template'],
  evidence: () => {
    const digest = contentOf(PATH).subarray(0, size)
    const head = cat(text(named), filled(1), digest)
    const entry = hashedEntry({ template, fields: [head, text(`${PATH}\0`)] })
    return measured([...FILES, entry], { policy: digests(PATH, [hex(PATH), toHex(digest)]) })
  },
}))

/** A format of a template may have its fields in any order (boot parameter ima_template_fmt of the kernel). */
const FORMATS: readonly NearMiss[] = ['n-ng|d-ng', 'd-ng|sig|modsig|n-ng', 'd|n-ng'].map(
  (template) => ({
    sends: `a listed file in the template ${template}`,
    forms: ['rare-template'],
    evidence: () => {
      const digest = contentOf(PATH).subarray(0, template.startsWith('d|') ? 20 : 32)
      return measured([...FILES, file(PATH, digest, template)], {
        policy: digests(PATH, [hex(PATH), toHex(digest)]),
      })
    },
  }),
)

/** A file that is not listed, under a policy with these expressions. */
function excluding(path: string, excludes: readonly string[], breaks?: string): NearMiss {
  return {
    sends: `${path} under a policy that excludes ${excludes.join(' and ') || 'nothing'}`,
    ...(breaks === undefined ? {} : { breaks }),
    evidence: () => measured([...FILES, ran(path)], { listed: FILES, policy: { excludes } }),
  }
}

const EXCLUDED: readonly NearMiss[] = [
  excluding('/scratch/x', ['/scratch/.*']),
  excluding('/scratch/x', [], ROW),
  excluding('/scratch/x', ['/other/.*', '/scratch/.*']),
  excluding('/scratch/x', ['/other/.*'], ROW),
  excluding('/usr/scratch/x', ['/scratch/.*'], ROW),
  excluding('/usr/scratch/x', ['/scratch'], ROW),
  excluding('/SCRATCH/x', ['/scratch/.*'], ROW),
  excluding('/\uff53cratch/x', ['/scratch/.*'], ROW),
  excluding('/scratch/y', ['/scratch/x'], ROW),
  excluding('/scratch', ['/scratch/x'], ROW),
]

/** A file that is not listed, under a policy with a member that is wrong: it is refused, or allows nothing more. */
const MALFORMED: readonly NearMiss[] = (
  [
    ['an expression without its end in excludes', { excludes: ['('] }],
    ['a number in excludes', { excludes: [5] }],
    ['null for excludes', { excludes: null }],
    ['null for digests', { digests: null }],
    ['null for meta', { meta: null }],
    ['an unknown hash', { ima: { ignored_keyrings: [], log_hash_alg: 'none', dm_policy: null } }],
  ] as const
).map(([says, members]) => ({
  sends: `/usr/bin/fourth, which is not listed, under a policy with ${says}`,
  breaks: ROW,
  evidence: () => {
    const { runtime_policy, ...evidence } = measured([...FILES, FOURTH], { listed: FILES })
    return { ...evidence, runtime_policy: { ...(runtime_policy as object), ...members } }
  },
}))

/** A line whose beginning equals that of a listed file: its template hash, and then another path. */
const BORROWED: NearMiss = {
  sends: 'a file that is not listed behind the template hash of a listed one',
  breaks: ROW,
  evidence: () => {
    const [hash] = [ran('/usr/bin/third').templateHash]
    const entry = { ...hashedEntry(ran('/usr/bin/fourth')), templateHash: hash }
    return measured([...FILES, entry], { listed: FILES })
  },
}

export const RUNTIME_POLICY: NearMissGroup = {
  id: 'runtime-policy',
  title: 'The verifier compares every measured file with the runtime policy, in path and digest',
  rows: [
    ...LISTED,
    ...NEWLINES,
    ...DIGESTS,
    ...PATHS,
    ...BLANKS,
    UNICODE,
    ...BLANKS_BEFORE_A_SIGNATURE,
    {
      sends: 'a file that another policy does not list',
      evidence: () => measured([...FILES, BAD]),
    },
    ...PLACES,
    ...TEMPLATES,
    OWNED,
    ...NAMED,
    ...FORMATS,
    ...EXCLUDED,
    ...MALFORMED,
    BORROWED,
    ...LISTED.slice(0, 1),
  ],
}
