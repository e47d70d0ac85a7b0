import { filled, toHex } from '../../tpm/write.ts'
import type { Json, Variant } from '../form.ts'
import { broken, type Ending, either, unreadable, variantsOf } from '../variant.ts'
import { type BankValues, pcrValue } from './attest-overrides.ts'
import { pushQuote, subjectData } from './push-quote.ts'
import { base64, type SoftQuote } from './soft-quote.ts'

const TEN = toHex(pcrValue('sha256', 10))
const EVIL = 'ee'.repeat(32)

/** The outcome of an input that the list leaves open and the reference cannot read. */
const OPEN: Ending = { ...unreadable('quote.structure'), outcome: 'either' }

/** Cases 39 to 44 of E.4 as a push agent sends them: `subject_data` is JSON, with its own pitfalls. */
export function subjectVariants(baseline: SoftQuote, required: BankValues): readonly Variant[] {
  const { '10': ten = '', ...others } = subjectData(required)
  const whole = pushQuote(baseline, required)
  const push = (subject_data: Json) => ({ push: { ...whole, subject_data } })
  const make = (number: number) => (slug: string, what: string, data: Json, ending: Ending) =>
    variantsOf('e4', number, 'push')(`push-${slug}`, what, push(data), ending)
  const keyed = (key: string, slug: string, what: string, ending: Ending) =>
    make(43)(slug, `The key of PCR 10 is ${what}`, { ...others, [key]: ten }, ending)
  const valued = (value: Json, slug: string, what: string, ending: Ending) =>
    make(43)(slug, `The value of PCR 10 is ${what}`, { ...others, '10': value }, ending)
  const added = (key: string, slug: string) =>
    make(43)(
      slug,
      `There is a key ${key} too`,
      { ...others, '10': ten, [key]: ten },
      unreadable('quote.structure'),
    )
  const raw = (slug: string, what: string, text: string, ending: Ending) =>
    make(44)(slug, what, { $json: text }, ending)
  const zero = JSON.stringify(others).slice(1, -1)
  return [
    make(39)(
      'twice-same',
      'PCR 10 is there twice, as "10" and as "010", with one value',
      { ...others, '10': ten, '010': ten },
      unreadable('quote.structure'),
    ),
    make(39)(
      'twice-other',
      'PCR 10 is there twice, as "10" and as "010", with two values',
      { ...others, '10': ten, '010': EVIL },
      unreadable('quote.structure'),
    ),
    make(40)(
      'swapped',
      'The values of PCR 0 and PCR 10 have changed places',
      { '0': ten, '10': others['0'] ?? '' },
      broken('quote.pcr-digest'),
    ),
    make(41)(
      'pcr-7',
      'PCR 7 is claimed as 32 zero bytes, and was not quoted',
      { ...others, '10': ten, '7': toHex(filled(32)) },
      broken('quote.selection', 'quote.pcr-digest'),
    ),
    make(41)(
      'pcr-missing',
      'PCR 10 was quoted and is not claimed',
      others,
      broken('quote.selection', 'quote.pcr-digest'),
    ),
    keyed('010', 'key-010', '"010"', OPEN),
    keyed('0x0a', 'key-hex', '"0x0a"', OPEN),
    keyed('10 ', 'key-blank', '"10 ", with a blank', OPEN),
    keyed('1e1', 'key-exponent', '"1e1"', OPEN),
    added('24', 'key-24'),
    added('-1', 'key-negative'),
    added('1000000000000', 'key-huge'),
    added('__proto__', 'key-proto'),
    make(43)(
      'pairs',
      'The values are a list of pairs, with PCR numbers as numbers',
      [
        [0, others['0'] ?? ''],
        [10, ten],
      ],
      unreadable('quote.structure'),
    ),
    make(43)('empty', 'There is no value', {}, unreadable('quote.structure')),
    valued(TEN.toUpperCase(), 'value-upper-case', 'in upper case', either()),
    valued(`0x${TEN}`, 'value-0x', 'written with 0x', either()),
    valued(TEN.slice(0, -1), 'value-odd', 'a digit too short', unreadable('quote.structure')),
    valued(base64(pcrValue('sha256', 10)), 'value-base64', 'in base64', OPEN),
    valued(TEN.slice(0, 40), 'value-of-20', '20 bytes long', unreadable('quote.structure')),
    valued(`${TEN}00`, 'value-of-33', '33 bytes long', unreadable('quote.structure')),
    valued(null, 'value-null', 'null', unreadable('quote.structure')),
    raw(
      'key-twice-good-first',
      'The key "10" is there twice, the right value first',
      `{${zero},"10":"${TEN}","10":"${EVIL}"}`,
      { ...broken('quote.pcr-digest'), outcome: 'either' },
    ),
    raw(
      'key-twice-good-last',
      'The key "10" is there twice, the right value last',
      `{${zero},"10":"${EVIL}","10":"${TEN}"}`,
      either(),
    ),
  ]
}
