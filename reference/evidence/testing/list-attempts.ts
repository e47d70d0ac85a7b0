import { hash } from 'node:crypto'
import { hashes } from '../../tpm/algorithms.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { type ImaEntry, isViolation } from '../ima/list/entry.ts'
import { parseAsciiList } from '../ima/list/parse-ascii.ts'
import { absent, real } from './real-data.ts'
import { type WrittenEntry, writeEntry } from './written-list.ts'

/** What an entry says; its line and its digest follow. */
export interface Facts {
  readonly template: string
  readonly name: string
  readonly digest: { readonly algorithm: string; readonly hex: string }
  readonly extra?: Uint8Array
}

/** A list that was sent, and what was measured where that differs. */
export interface Forged {
  readonly sent: readonly WrittenEntry[]
  readonly measured?: readonly WrittenEntry[]
}

/** One way to let another machine pass for a known one; it differs from what passes in one place. */
export interface ListAttempt {
  readonly kind: string
  readonly what: string
  /** The check that has to find something. */
  readonly check: string
  /** Undefined where a list has nothing that it could change. */
  readonly forge: (facts: readonly Facts[], at: number) => Forged | undefined
}

const OWN = [
  'imang/ascii_before_tools',
  'imasigv2/ascii_before_tools',
  'seabios/ascii_before_tools',
]

/** Lists of real machines by name; those that lie next to the repository where they are there. */
export const REAL_LISTS: readonly string[] = [
  'ascii_before_tools',
  'ascii_after_tools',
  ...(absent ? [] : OWN.map((file) => `own-boots/${file}`)),
]

function isPlain(item: { readonly kind: string }): item is ImaEntry {
  return item.kind === 'entry' && !isViolation(item as ImaEntry)
}

/** What the entries of a real list say, apart from violations and templates that are not written here. */
export function factsOf(file: string): readonly Facts[] {
  const bytes = file.startsWith('own-boots/') ? real(file) : recorded(file)
  const entries: Facts[] = []
  for (const item of parseAsciiList(bytes, hashes.sha1)) {
    if (!isPlain(item) || 'invalid' in item.content || item.lines > 1) continue
    const { digest, name, signature, buffer } = item.content
    const template = buffer ? 'ima-buf' : signature ? 'ima-sig' : 'ima-ng'
    const extra = buffer ?? signature
    entries.push({ template, name, digest, ...(extra && { extra }) })
  }
  return entries
}

function written(facts: readonly Facts[]): readonly WrittenEntry[] {
  return facts.map(writeEntry)
}

type Change = (fact: Facts, all: readonly Facts[], at: number) => Facts | undefined

/** Another entry was measured in one place, and the list says so. */
function other(kind: string, check: string, rows: readonly (readonly [string, Change])[]) {
  return rows.map(
    ([what, change]): ListAttempt => ({
      ...{ kind, what, check },
      forge: (facts, at) => {
        const fact = facts[at]
        const changed = fact && change(fact, facts, at)
        return changed && { sent: written(facts.with(at, changed)) }
      },
    }),
  )
}

/** The list says something else than was measured. */
function lies(
  rows: readonly (readonly [
    string,
    string,
    (entries: readonly WrittenEntry[], at: number) => readonly WrittenEntry[],
  ])[],
): readonly ListAttempt[] {
  return rows.map(([what, check, change]) => ({
    ...{ kind: 'list that was changed', what, check },
    forge: (facts, at) => {
      const measured = written(facts)
      return { sent: change(measured, at), measured }
    },
  }))
}

const isFile = ({ template }: Facts) => template !== 'ima-buf'
const files =
  (change: Change): Change =>
  (fact, all, at) =>
    isFile(fact) ? change(fact, all, at) : undefined

const withHex = (change: (hex: string) => string) =>
  files((fact) => ({ ...fact, digest: { ...fact.digest, hex: change(fact.digest.hex) } }))
const named = (change: (name: string) => string) =>
  files((fact) => ({ ...fact, name: change(fact.name) }))

function turned(hex: string, at: number): string {
  const bytes = Buffer.from(hex, 'hex')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes.toString('hex')
}

const POLICY = 'ima.entry-policy'

const FILES: readonly ListAttempt[] = [
  ...other('file with a digest', POLICY, [
    ['of which the first bit is turned', withHex((hex) => turned(hex, 0))],
    ['of which a bit in the middle is turned', withHex((hex) => turned(hex, 16))],
    ['of which the last bit is turned', withHex((hex) => turned(hex, hex.length / 2 - 1))],
    ['backwards', withHex((hex) => Buffer.from(hex, 'hex').reverse().toString('hex'))],
    ['of zeros', withHex((hex) => '00'.repeat(hex.length / 2))],
    ['of ones', withHex((hex) => 'ff'.repeat(hex.length / 2))],
    ['of the digest', withHex((hex) => hash('sha256', Buffer.from(hex, 'hex')))],
    [
      'of another file',
      files((fact, all) => {
        const stranger = all.find(
          ({ name, digest }) => name !== fact.name && digest.hex !== fact.digest.hex,
        )
        return stranger && { ...fact, digest: stranger.digest }
      }),
    ],
    [
      'by SHA-512 that begins alike',
      files((fact) => ({
        ...fact,
        digest: { algorithm: 'sha512', hex: fact.digest.hex.padEnd(128, '0').slice(0, 128) },
      })),
    ],
    [
      'by SHA-1 that begins alike',
      files((fact) => ({
        ...fact,
        digest: { algorithm: 'sha1', hex: fact.digest.hex.slice(0, 40) },
      })),
    ],
  ]),
  ...other('file under a path', POLICY, [
    [
      'in capitals',
      named((name) => (name === name.toUpperCase() ? `${name}x` : name.toUpperCase())),
    ],
    ['with a blank behind', named((name) => `${name} `)],
    ['with a blank in front', named((name) => ` ${name}`)],
    ['with a slash behind', named((name) => `${name}/`)],
    ['with two slashes', named((name) => `/${name}`)],
    ['with a dot', named((name) => `/.${name}`)],
    ['with two dots', named((name) => `/usr/..${name}`)],
    ['without its last letter', named((name) => name.slice(0, -1))],
    ['without its first letter', named((name) => name.slice(1))],
    ['twice', named((name) => name + name)],
    ['with an accent', named((name) => `${name}\u0301`)],
    ['with a letter of no width', named((name) => `${name}\u200b`)],
    ['with a tab', named((name) => `${name}\t`)],
    ['of another kind of slash', named((name) => name.replace('/', '\\').concat('\\'))],
    ['of the prototype', named(() => '__proto__')],
    ['of a method', named(() => 'constructor')],
    ['of nothing but a slash', named(() => '/')],
    ['that was deleted', named((name) => `${name} (deleted)`)],
  ]),
]

/** Names that no kernel gives to a hash, and hashes of another size. */
const ALGORITHMS = [
  ...['md4', 'md5', 'rmd160', 'wp512', 'tgr192', 'sha3-512', 'sha512', 'sha1', 'streebog512'],
  ...['sha-256', 'sha512-256', 'sha2-256', 'sha256-', 'none', 'x', '_', 'constructor', 'tostring'],
  ...['blake2b', 'crc32', 'sha257', 'null', 'undefined', 'identity', '-', '0'],
] as const

const UNKNOWN = other(
  'file with the listed digest by',
  'ima.entry-template',
  ALGORITHMS.map(
    (algorithm) =>
      [
        algorithm,
        files((fact) =>
          fact.digest.hex.length === 64
            ? { ...fact, digest: { ...fact.digest, algorithm } }
            : undefined,
        ),
      ] as const,
  ),
)

const buffered =
  (change: (fact: Facts) => Facts): Change =>
  (fact) =>
    isFile(fact) ? undefined : change(fact)

const BUFFERS = [
  ...other('file told as', POLICY, [
    [
      'a buffer of its name',
      files((fact) => ({
        ...fact,
        template: 'ima-buf',
        extra: Buffer.from('x'),
        digest: sha256('x'),
      })),
    ],
  ]),
  ...other('buffer', 'ima.entry-buffer', [
    ['with other content', buffered((fact) => ({ ...fact, extra: Buffer.from('other content') }))],
    [
      'with a byte more',
      buffered((fact) => ({
        ...fact,
        extra: Buffer.concat([fact.extra ?? Buffer.alloc(0), Buffer.alloc(1)]),
      })),
    ],
    ['without content', buffered((fact) => ({ ...fact, extra: Buffer.alloc(0) }))],
  ]),
  ...other('buffer', POLICY, [
    ['of another label', buffered((fact) => ({ ...fact, name: `${fact.name}x` }))],
    [
      'of another digest',
      buffered((fact) => ({ ...fact, extra: Buffer.from('x'), digest: sha256('x') })),
    ],
    ['told as a file', buffered((fact) => ({ ...fact, template: 'ima-ng' }))],
  ]),
]

function sha256(text: string): Facts['digest'] {
  return { algorithm: 'sha256', hex: hash('sha256', text) }
}

const EVIL = writeEntry({ template: 'ima-ng', name: '/evil', digest: sha256('evil') })

/** A line with another text in one of its columns; what was measured stays. */
function column(index: number, change: (text: string) => string) {
  return (entries: readonly WrittenEntry[], at: number) =>
    entries.map((entry, place) => {
      if (place !== at) return entry
      const columns = entry.line.split(' ')
      const line = columns.with(index, change(columns[index] ?? '')).join(' ')
      return { ...entry, line }
    })
}

const LIES = lies([
  ['without an entry', 'ima.replay', (all, at) => all.toSpliced(at, 1)],
  [
    'with an entry twice',
    'ima.replay',
    // An entry behind the last quoted one is not covered, and the same file may run again.
    (all, at) => (at < all.length - 1 ? all.toSpliced(at, 0, ...all.slice(at, at + 1)) : []),
  ],
  ['with an entry at its end', 'ima.entry-policy', (all) => [...all, EVIL]],
  ['with an entry in place of another', 'ima.replay', (all, at) => all.with(at, EVIL)],
  ['with its entries backwards', 'ima.replay', (all) => all.toReversed()],
  ['cut in half', 'ima.replay', (all) => all.slice(0, all.length >> 1)],
  ['of nothing', 'ima.replay', () => []],
  ['with a hash of zeros', 'ima.entry-violation', column(1, (text) => '0'.repeat(text.length))],
  ['with a hash of ones', 'ima.entry-hash', column(1, (text) => 'f'.repeat(text.length))],
  ['with a bit of a hash turned', 'ima.entry-hash', column(1, (text) => turned(text, 19))],
  ['with a hash in capitals', 'ima.replay', column(1, (text) => `${text.slice(0, -1)}Z`)],
  ['with a short hash', 'ima.entry', column(1, (text) => text.slice(2))],
  ['of PCR 11', 'ima.entry-pcr', column(0, () => '11')],
  ['of PCR 12', 'ima.entry-pcr', column(0, () => '12')],
  ['of no PCR', 'ima.entry', column(0, () => 'x')],
  ['of no known template', 'ima.entry', column(2, () => 'ima-new')],
  ['of another template', 'ima.replay', column(2, () => 'ima')],
  [
    'with another digest',
    'ima.replay',
    column(3, (text) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`),
  ],
  ['with another name', 'ima.replay', column(4, (text) => `${text}x`)],
])

const AGGREGATE = 'boot_aggregate'
const isAggregate = ({ name }: Facts) => name === AGGREGATE

function aggregate(
  what: string,
  check: string,
  change: (facts: readonly Facts[]) => readonly Facts[],
) {
  const attempt: ListAttempt = {
    ...{ kind: 'boot_aggregate', what, check },
    forge: (facts, at) =>
      at === 0 && facts.some(isAggregate) ? { sent: written(change(facts)) } : undefined,
  }
  return attempt
}

const FIRST = [
  aggregate('missing', 'ima.boot-aggregate', (all) => all.filter((one) => !isAggregate(one))),
  aggregate('of another machine', POLICY, (all) =>
    all.map((one) => (isAggregate(one) ? { ...one, digest: sha256('other') } : one)),
  ),
  aggregate('of zeros', POLICY, (all) =>
    all.map((one) =>
      isAggregate(one) ? { ...one, digest: { algorithm: 'sha256', hex: '00'.repeat(32) } } : one,
    ),
  ),
  aggregate('twice, the second of another machine', POLICY, (all) => [
    ...all,
    { template: 'ima-ng', name: AGGREGATE, digest: sha256('other') },
  ]),
  aggregate('called /boot_aggregate', 'ima.boot-aggregate', (all) =>
    all.map((one) => (isAggregate(one) ? { ...one, name: `/${AGGREGATE}` } : one)),
  ),
  aggregate('in capitals', 'ima.boot-aggregate', (all) =>
    all.map((one) => (isAggregate(one) ? { ...one, name: AGGREGATE.toUpperCase() } : one)),
  ),
  aggregate('with a blank', 'ima.boot-aggregate', (all) =>
    all.map((one) => (isAggregate(one) ? { ...one, name: `${AGGREGATE} ` } : one)),
  ),
  {
    kind: 'boot_aggregate',
    what: 'of a PCR 10 that was never extended',
    check: 'ima.measured',
    forge: (facts: readonly Facts[], at: number) =>
      at === 0 ? { sent: written(facts), measured: [] } : undefined,
  } satisfies ListAttempt,
]

/** Every attempt, in the order of its kinds. */
export const LIST_ATTEMPTS: readonly ListAttempt[] = [
  ...FILES,
  ...UNKNOWN,
  ...BUFFERS,
  ...LIES,
  ...FIRST,
]

/** The list of a machine as it is. */
export function honest(facts: readonly Facts[]): Forged {
  return { sent: written(facts) }
}
