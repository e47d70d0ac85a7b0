import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import type { ImaEntry } from '../../../simulator/ima/list.ts'
import { imaEntry, imaSigEntry } from '../../../simulator/ima/make-entry.ts'
import type { RuntimePolicy } from '../../../simulator/platform/boot-facts.ts'
import { rsaKeyOf } from '../../../simulator/soft/keys.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { cat, filled, text, toHex, u8, u16, u32 } from '../../../simulator/tpm/write.ts'
import { oneOf, turnBit } from '../mutate-bytes.ts'
import type { Mutation, MutationAt } from '../stages.ts'

type Head = Pick<MutationAt<'machine'>, 'id' | 'what' | 'breaks'>

/** What was measured beside the baseline, and what the policy says of that. */
interface Case {
  readonly entries: readonly ImaEntry[]
  readonly policy?: Partial<RuntimePolicy>
}

function judged(head: Head, make: (random: SeededRandom) => Case): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => {
      const { entries, policy } = make(random)
      const measured = [...machine.measured, ...entries]
      return { ...machine, measured, policy: { ...machine.policy, ...policy } }
    },
  }
}

/** The digest of a file of the baseline. */
function known(random: SeededRandom): readonly [path: string, digest: Uint8Array] {
  const at = 1 + random.below(8)
  return [`/usr/bin/tool-${at}`, digest('sha256', text(`tool ${at}`))]
}

const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => path.replace('tool', 'Tool'),
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => path.slice(1),
  (path) => path.replace('/bin/', '/bin/./'),
  (path) => path.replace('/bin/', '/bin/../bin/'),
  (path) => `${path}0`,
  (path) => `${path}\u00e9`,
]

const FILES: readonly Mutation[] = [
  judged(
    {
      id: 'file.digest-of-another',
      what: 'shows a foreign file with the digest of a known one',
      breaks: 'policy-file',
    },
    (random) => ({ entries: [imaSigEntry('/usr/bin/foreign', known(random)[1])] }),
  ),
  judged(
    {
      id: 'file.digest-of-neighbour',
      what: 'shows a known file with the digest of another known one',
      breaks: 'policy-file',
    },
    () => ({ entries: [imaSigEntry('/usr/bin/tool-1', digest('sha256', text('tool 2')))] }),
  ),
  judged(
    {
      id: 'file.digest-bit',
      what: 'shows a known file with a bit of its digest turned',
      breaks: 'policy-file',
    },
    (random) => {
      const [path, fit] = known(random)
      return { entries: [imaSigEntry(path, turnBit(fit, random))] }
    },
  ),
  judged(
    {
      id: 'file.path',
      what: 'shows a known file under another spelling of its path',
      breaks: 'policy-file',
    },
    (random) => {
      const [path, fit] = known(random)
      return { entries: [imaSigEntry(oneOf(SPELLINGS, random)(path), fit)] }
    },
  ),
  judged(
    {
      id: 'file.aggregate',
      what: 'began with other firmware than its policy lists',
      breaks: 'policy-file',
    },
    (random) => ({ entries: [imaSigEntry('boot_aggregate', random.bytes(32))] }),
  ),
]

/** The signer that policies here know, and one that they do not; keys are derived once a process. */
const SIGNER = 'signs files'
const STRANGER = 'signs other files'

function publicDer(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' })
}

const KEY_ID = 0x61737361

/** `security.ima` as evmctl makes it: RSA with SHA-256, under the id of the known key. */
function signatureOf(label: string, content: Uint8Array): Uint8Array {
  const sig = sign('sha256', content, rsaKeyOf(label))
  return cat(u8(3), u8(2), u8(4), u32(KEY_ID), u16(sig.length), sig)
}

function signedFile(path: string, label = SIGNER, content = text(path)): ImaEntry {
  return imaSigEntry(path, digest('sha256', content), signatureOf(label, text(path)))
}

function keyring(): Partial<RuntimePolicy> {
  const pubkeys = [publicDer(rsaKeyOf(SIGNER)).toString('base64')]
  const keys = { meta: { version: 1 }, keyids: [KEY_ID], pubkeys }
  return { 'verification-keys': JSON.stringify(keys) }
}

function signed(head: Head, entries: (random: SeededRandom) => readonly ImaEntry[]): Mutation {
  return judged(head, (random) => ({ entries: entries(random), policy: keyring() }))
}

const SIGNED: readonly Mutation[] = [
  signed({ id: 'signed.file', what: 'shows a file that a key of its policy signed' }, () => [
    signedFile('/opt/signed'),
  ]),
  signed(
    {
      id: 'signed.unsigned',
      what: 'shows a foreign file without a signature under a policy with keys',
      breaks: 'policy-file',
    },
    (random) => [signedFile('/opt/signed'), imaSigEntry('/opt/unsigned', random.bytes(32))],
  ),
  signed(
    {
      id: 'signed.another',
      what: 'shows a foreign file with the signature of a signed one',
      breaks: 'policy-file',
    },
    (random) => [
      signedFile('/opt/signed'),
      imaSigEntry('/opt/foreign', random.bytes(32), signatureOf(SIGNER, text('/opt/signed'))),
    ],
  ),
  signed(
    {
      id: 'signed.changed',
      what: 'shows a file that was changed after it was signed',
      breaks: 'policy-file',
    },
    (random) => [signedFile('/opt/signed', SIGNER, random.bytes(20))],
  ),
  signed(
    {
      id: 'signed.stranger',
      what: 'shows a file that a key signed which its policy does not have',
      breaks: 'policy-file',
    },
    () => [signedFile('/opt/signed', STRANGER)],
  ),
  signed(
    {
      id: 'signed.bit',
      what: 'shows a file with a bit of its signature turned',
      breaks: 'policy-file',
    },
    (random) => {
      const whole = signatureOf(SIGNER, text('/opt/signed'))
      const cut = cat(whole.subarray(0, 9), turnBit(whole.slice(9), random))
      return [imaSigEntry('/opt/signed', digest('sha256', text('/opt/signed')), cut)]
    },
  ),
]

/** An entry of a buffer; its digest is that of another one where given. */
function bufferEntry(path: string, buffer: Uint8Array, of = buffer): ImaEntry {
  return imaEntry('ima-buf', { path, digest: digest('sha256', of), buffer })
}

function hexOf(bytes: Uint8Array): string {
  return toHex(digest('sha256', bytes))
}

/** The label of critical data, or the keyring, that a policy lists; what it lists; and what it does not. */
function buffers(table: 'ima-buf' | 'keyrings') {
  const isKey = table === 'keyrings'
  const der = (label: string) => new Uint8Array(publicDer(rsaKeyOf(label)))
  return {
    name: isKey ? '.ima' : 'kernel_version',
    listed: isKey ? der(SIGNER) : text('6.1.0'),
    other: isKey ? der(STRANGER) : text('6.1.1'),
  }
}

function buffered(
  head: Head,
  entryOf: (one: ReturnType<typeof buffers>, random: SeededRandom) => ImaEntry,
): Mutation {
  return judged(head, (random) => {
    const table = oneOf(['ima-buf', 'keyrings'] as const, random)
    const one = buffers(table)
    const policy = { [table]: { [one.name]: [hexOf(one.listed)] } }
    return { entries: [entryOf(one, random)], policy }
  })
}

const BUFFERS: readonly Mutation[] = [
  buffered({ id: 'buffer.listed', what: 'shows a buffer that its policy lists' }, (one) =>
    bufferEntry(one.name, one.listed),
  ),
  buffered(
    {
      id: 'buffer.other',
      what: 'shows a buffer that its policy does not list',
      breaks: 'policy-file',
    },
    ({ name, other }) => bufferEntry(name, other),
  ),
  buffered(
    {
      id: 'buffer.false',
      what: 'shows a buffer with the digest of another',
      breaks: 'list-buffer',
    },
    ({ name, other, listed }) => bufferEntry(name, other, listed),
  ),
  buffered(
    {
      id: 'buffer.renamed',
      what: 'shows a listed buffer under another name',
      breaks: 'policy-file',
    },
    ({ name, listed }, random) => bufferEntry(`${name}${oneOf(['x', '.', ' '], random)}`, listed),
  ),
  buffered(
    { id: 'buffer.empty', what: 'shows an empty buffer', breaks: 'policy-file' },
    ({ name }) => bufferEntry(name, filled(0)),
  ),
]

/** A foreign file ran, under a policy with these excludes. */
function excluding(head: Head, excludes: readonly string[]): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => ({
      ...machine,
      measured: [...machine.measured, imaSigEntry('/usr/bin/foreign', random.bytes(32))],
      policy: { ...machine.policy, excludes: [oneOf(excludes, random), '/never/.*'] },
    }),
  }
}

/** Excludes of a runtime policy. */
export const EXCLUDE_MUTATIONS: readonly Mutation[] = [
  excluding({ id: 'excludes.fit', what: 'shows a file that its policy excludes' }, [
    '/usr/bin/foreign',
    '/usr/.*',
    '/usr/bin/f',
  ]),
  excluding(
    {
      id: 'excludes.elsewhere',
      what: 'shows a file of which an exclude is a later part',
      breaks: 'policy-file',
    },
    ['bin/foreign', 'usr/bin/.*', '/bin/foreign', 'foreign', '/foreign', '/usr/bin/foreign/.*'],
  ),
  excluding(
    {
      id: 'excludes.other',
      what: 'shows a file that an exclude nearly matches',
      breaks: 'policy-file',
    },
    [
      '/usr/bin/foreigner',
      '/USR/BIN/FOREIGN',
      '/usr/bin/ foreign',
      '/usr/lib/.*',
      '/usr/bin/foreign\\.',
    ],
  ),
]

/** What a runtime policy decides: files by path and digest, by signature, and buffers. */
export const JUDGED_MUTATIONS: readonly Mutation[] = [...FILES, ...SIGNED, ...BUFFERS]
