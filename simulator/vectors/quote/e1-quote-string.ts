import { deflateSync } from 'node:zlib'
import { rsaAttester } from '../../machine/soft-attester.ts'
import type { Json, JsonObject, Section, Variant } from '../form.ts'
import { broken, type Ending, REFUSED, shortened, unreadable, variantsOf } from '../variant.ts'
import { zlibBomb } from '../zlib-bomb.ts'
import { bankValues } from './attest-overrides.ts'
import { pushEvidence, pushQuote } from './push-quote.ts'
import { base64, type QuoteBytes, quoteText, softQuote } from './soft-quote.ts'

// With RSA no part has a length that is a multiple of three, so each text ends in padding; with PCR 7 each contains
// a digit in which the alphabets differ.
const values = bankValues('sha256', [0, 7, 23])
const soft = softQuote(rsaAttester('adversarial'), [values])
const text = quoteText(soft.bytes)
const FIELDS = ['message', 'signature', 'pcrs'] as const
const parts = FIELDS.map((field) => base64(soft.bytes[field]))

/** Returns the quote with one of its three texts changed. */
function withPart(at: number, change: (part: string) => string): JsonObject {
  return { quote: `r${parts.map((part, index) => (index === at ? change(part) : part)).join(':')}` }
}

/** Cases 1 and 2: the letter and the parts. */
function shapes(): readonly Variant[] {
  const letter = variantsOf('e1', 1, 'soft')
  const count = variantsOf('e1', 2, 'soft')
  const [message = '', signature = '', pcrs = ''] = parts
  const of = (...some: readonly string[]) => ({ quote: `r${some.join(':')}` })
  return [
    letter('no-letter', 'The letter is missing', { quote: text.slice(1) }, REFUSED),
    letter('capital', 'The letter is a capital', { quote: `R${text.slice(1)}` }, REFUSED),
    letter('twice', 'The letter is there twice', { quote: `r${text}` }, REFUSED),
    letter('blank-before', 'A blank precedes the letter', { quote: ` ${text}` }, REFUSED),
    count('two', 'The third part is missing', of(message, signature), REFUSED),
    count('four', 'There is a fourth part', of(message, signature, pcrs, pcrs), REFUSED),
    count('first-empty', 'The first part is empty', of('', signature, pcrs), REFUSED),
    count('second-empty', 'The second part is empty', of(message, '', pcrs), REFUSED),
    count('third-empty', 'The third part is empty', of(message, signature, ''), REFUSED),
    count('all-empty', 'All parts are empty', of('', '', ''), REFUSED),
    count('colon-behind', 'A colon follows the third part', { quote: `${text}:` }, REFUSED),
    count('empty', 'The quote is an empty text', { quote: '' }, REFUSED),
  ]
}

/** Changes a digit whose unused bits are then not all zero; the decoded bytes are the same. */
function looseBits(part: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const last = part.replace(/=+$/, '').length - 1
  return `${part.slice(0, last)}${digits[digits.indexOf(part[last] ?? 'A') + 1]}${part.slice(last + 1)}`
}

/** Case 3: spellings of base64 that a verifier must treat consistently. */
const SPELLINGS: readonly (readonly [string, string, (part: string) => string])[] = [
  ['url', 'the URL alphabet', (part) => part.replaceAll('+', '-').replaceAll('/', '_')],
  ['unpadded', 'no padding', (part) => part.replace(/=+$/, '')],
  ['padded-more', 'one more padding character', (part) => `${part}=`],
  ['newline', 'a newline in the middle', (part) => `${part.slice(0, 76)}\n${part.slice(76)}`],
  ['blank', 'a blank in the middle', (part) => `${part.slice(0, 76)} ${part.slice(76)}`],
  ['blank-behind', 'a blank behind it', (part) => `${part} `],
  ['loose-bits', 'bits behind the last byte that are not zero', looseBits],
]

function spellings(): readonly Variant[] {
  const ending: Ending = { ...REFUSED, outcome: 'either' }
  const whole = pushQuote(soft, values)
  return SPELLINGS.flatMap(([slug, what, change]) => [
    variantsOf('e1', 3, 'soft')(
      slug,
      `The base64 of each part in turn has ${what}`,
      FIELDS.map((_, at) => withPart(at, change)),
      ending,
    ),
    variantsOf('e1', 3, 'push')(
      `push-${slug}`,
      `The base64 of message and signature in turn has ${what}`,
      (['message', 'signature'] as const).map((field) => ({
        push: { ...whole, [field]: change(whole[field]) },
      })),
      ending,
    ),
  ])
}

/** Case 4: the compressed form of API 1.0, and what it can hide. */
function compressed(): readonly Variant[] {
  const make = variantsOf('e1', 4, 'soft')
  const replaced = (change: Partial<QuoteBytes>) => ({
    quote: shortened(quoteText({ ...soft.bytes, ...change })),
  })
  const zipped = (field: keyof QuoteBytes) => new Uint8Array(deflateSync(soft.bytes[field]))
  const gibibyte = zlibBomb(Math.ceil(2 ** 30 / 258))
  const every = Object.fromEntries(FIELDS.map((field) => [field, zipped(field)]))
  return [
    make(
      'message',
      'The message is a zlib stream',
      replaced({ message: zipped('message') }),
      unreadable('quote.structure', 'quote.signature'),
    ),
    make(
      'signature',
      'The signature is a zlib stream',
      replaced({ signature: zipped('signature') }),
      unreadable('quote.signature-form'),
    ),
    make(
      'pcrs',
      'The PCR part is a zlib stream',
      replaced({ pcrs: zipped('pcrs') }),
      unreadable('quote.structure'),
    ),
    make(
      'all',
      'Each part is a zlib stream',
      replaced(every),
      unreadable('quote.structure', 'quote.signature-form'),
    ),
    make(
      'bomb',
      'The message is a zlib stream of one gibibyte',
      replaced({ message: gibibyte }),
      unreadable('quote.structure', 'quote.signature'),
    ),
    make(
      'bomb-pcrs',
      'The PCR part is a zlib stream of one gibibyte',
      replaced({ pcrs: gibibyte }),
      unreadable('quote.structure'),
    ),
  ]
}

/** Case 5: texts longer than any quote. */
function floods(): readonly Variant[] {
  const make = variantsOf('e1', 5, 'soft')
  const flood = { $repeat: 'A', count: 50 * 1024 * 1024 }
  const [, signature = '', pcrs = ''] = parts
  return [
    make('flood', 'The quote is 50 MiB of the letter A', { quote: flood }, REFUSED),
    make(
      'flood-message',
      'The message is 50 MiB of zero bits in base64',
      { quote: { $concat: ['r', flood, `:${signature}:${pcrs}`] } },
      unreadable('quote.structure', 'quote.signature'),
    ),
  ]
}

/** Cases 6 to 8: other JSON types, and other members of the evidence. */
function surroundings(): readonly Variant[] {
  const types: readonly [string, Json][] = [
    ['number', 1],
    ['array', [text]],
    ['object', { quote: text }],
    ['null', null],
    ['boolean', true],
  ]
  const bank = (slug: string, what: string, hash_alg: string, ...checks: readonly string[]) =>
    variantsOf('e1', 8, 'soft')(
      `hash-${slug}`,
      `hash_alg is ${what}`,
      { hash_alg },
      broken(...checks),
    )
  const both = ['quote.algorithms', 'quote.selection'] as const
  return [
    ...types.map(([slug, quote]) =>
      variantsOf('e1', 6, 'soft')(
        slug,
        `The quote is of the JSON type ${slug}`,
        { quote },
        REFUSED,
      ),
    ),
    variantsOf('e1', 7, 'soft')(
      'plus-as-blank',
      'Every + of the quote has become a blank, as in a query that was not encoded',
      { quote: text.replaceAll('+', ' ') },
      REFUSED,
    ),
    bank('sha384', 'not the algorithm of bank and signature', 'sha384', ...both),
    bank('sha1', 'a weaker algorithm than that of bank and signature', 'sha1', ...both),
    bank('sm3', 'SM3', 'sm3_256', ...both),
    bank('upper-case', 'in upper case', 'SHA256', ...both),
    bank('unknown', 'an unknown algorithm', 'sha257', ...both),
    bank('empty', 'an empty text', '', ...both),
  ]
}

/** Section E.1: defects of the text `r<attest>:<signature>:<pcrs>`. */
export function quoteStringSection(): Section {
  return {
    section: 'E.1',
    baselines: { soft: soft.evidence, push: pushEvidence(soft, values) },
    variants: [...shapes(), ...spellings(), ...compressed(), ...floods(), ...surroundings()],
  }
}
