import { deflateSync } from 'node:zlib'
import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import { oneOf } from '../mutate-bytes.ts'
import type { Members, Mutation, MutationAt } from '../stages.ts'

function members(
  head: Pick<MutationAt<'members'>, 'id' | 'what' | 'breaks'>,
  change: (members: Members, random: SeededRandom) => Members,
): Mutation {
  return { ...head, stage: 'members', change }
}

/** Mutates the text of the quote; a quote that is no text any more stays as it is. */
function quoteText(
  head: Pick<MutationAt<'members'>, 'id' | 'what' | 'breaks'>,
  change: (quote: string, random: SeededRandom) => unknown,
): Mutation {
  return members(head, (all, random) =>
    typeof all.quote === 'string' ? { ...all, quote: change(all.quote, random) } : all,
  )
}

const parts = (quote: string): readonly string[] => quote.slice(1).split(':')
const joined = (all: readonly string[]): string => `r${all.join(':')}`

const WRONG_FORMS: readonly ((quote: string) => string)[] = [
  (quote) => quote.slice(1),
  (quote) => `R${quote.slice(1)}`,
  (quote) => joined(parts(quote).slice(0, 2)),
  (quote) => `${quote}:${parts(quote)[2]}`,
  (quote) => `${quote}:`,
  (quote) => joined(parts(quote).with(1, '')),
  () => '::',
  () => 'r',
]

const SPELLINGS: readonly ((part: string) => string)[] = [
  (part) => part.replaceAll('+', '-').replaceAll('/', '_'),
  (part) => part.replaceAll('=', ''),
  (part) => `${part}===`,
  (part) => `${part.slice(0, 64)}\n${part.slice(64)}`,
  (part) => ` ${part}`,
]

const OTHER_HASHES = [
  '',
  'SHA256',
  'sha-256',
  'sm3_256',
  'sha1',
  'sha512',
  'md5',
  '__proto__',
  '\u0000',
]
const OTHER_TYPES: readonly unknown[] = [7, null, [], {}, true, ['r'], { toString: 'r' }]
const NEEDED = ['nonce', 'quote', 'tpm_ak'] as const

let made: string | undefined

/** Sixteen megabytes of zeros, compressed once. */
function bomb(): string {
  made ??= deflateSync(Buffer.alloc(16 * 1024 * 1024)).toString('base64')
  return made
}

/** Mutations of the request that evidence travels in. */
export const REQUEST_MUTATIONS: readonly Mutation[] = [
  quoteText(
    { id: 'quote.form', what: 'is not an r and three parts', breaks: 'request-form' },
    (quote, random) => oneOf(WRONG_FORMS, random)(quote),
  ),
  quoteText({ id: 'quote.spelling', what: 'is in another spelling of base64' }, (quote, random) => {
    const all = parts(quote)
    const at = random.below(all.length)
    return joined(all.with(at, oneOf(SPELLINGS, random)(all[at] ?? '')))
  }),
  quoteText(
    { id: 'quote.zlib', what: 'is compressed, as API 1.0 had it', breaks: 'attest-form' },
    (quote) => joined(parts(quote).map((part) => deflateSync(unbase64(part)).toString('base64'))),
  ),
  quoteText({ id: 'quote.bomb', what: 'unfolds to sixteen megabytes', breaks: 'magic' }, (quote) =>
    joined(parts(quote).with(0, bomb())),
  ),
  quoteText(
    { id: 'quote.large', what: 'is three hundred thousand letters long', breaks: 'magic' },
    (quote) => joined(parts(quote).with(0, 'A'.repeat(300_000))),
  ),
  quoteText({ id: 'quote.type', what: 'is no text', breaks: 'request-form' }, (_, random) =>
    oneOf(OTHER_TYPES, random),
  ),
  members(
    { id: 'request.nonce', what: 'states another nonce', breaks: 'nonce' },
    (all, random) => ({
      ...all,
      nonce: Buffer.from(random.bytes(15)).toString('hex').slice(0, 20),
    }),
  ),
  members(
    { id: 'request.nonce-type', what: 'states a nonce that is no text', breaks: 'request-form' },
    (all, random) => ({
      ...all,
      nonce: oneOf([...OTHER_TYPES, ''], random),
    }),
  ),
  members(
    { id: 'request.hash', what: 'states another hash_alg', breaks: 'hash-alg' },
    (all, random) => ({
      ...all,
      hash_alg: oneOf(OTHER_HASHES, random),
    }),
  ),
  members(
    { id: 'request.hash-type', what: 'states a hash_alg that is no text', breaks: 'hash-alg' },
    (all, random) => ({
      ...all,
      hash_alg: oneOf(OTHER_TYPES, random),
    }),
  ),
  members(
    { id: 'request.missing', what: 'lacks a member', breaks: 'request-form' },
    (all, random) => {
      const { [oneOf(NEEDED, random)]: _, ...rest } = all
      return rest
    },
  ),
  members({ id: 'request.extra', what: 'has unknown members' }, (all, random) => ({
    ...all,
    [oneOf(['x', 'constructor', 'valid', 'toString', 'claims'], random)]: oneOf(
      [1, true, {}, 'pass'],
      random,
    ),
  })),
]
