import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { ClaimedPcrs } from './claimed-pcrs.ts'
import { parsePcrBlob, writePcrBlob } from './pcr-blob.ts'
import { parseQuoteString, writeQuoteString } from './quote-string.ts'
import { parseSubjectData } from './subject-data.ts'

const SIZES = { sha1: 20, sha256: 32, sha384: 48, sha512: 64, sm3_256: 32 } as const

function values(size: number): fc.Arbitrary<ReadonlyMap<number, Uint8Array>> {
  return fc
    .uniqueArray(fc.tuple(fc.nat(23), fc.uint8Array({ minLength: size, maxLength: size })), {
      minLength: 1,
      maxLength: 24,
      selector: ([pcr]) => pcr,
    })
    .map((pairs) => new Map(pairs.toSorted(([left], [right]) => left - right)))
}

const bank = fc
  .constantFrom(...(Object.keys(SIZES) as (keyof typeof SIZES)[]))
  .chain((name) => values(SIZES[name]).map((each) => ({ bank: name, values: each })))

const claimed: fc.Arbitrary<ClaimedPcrs> = fc.uniqueArray(bank, {
  minLength: 1,
  maxLength: 4,
  selector: (each) => each.bank,
})

test('claimed values of any banks are read back from a blob as they were', () => {
  fc.assert(
    fc.property(claimed, (pcrs) => {
      const blob = writePcrBlob(pcrs)
      const count = pcrs.reduce((sum, each) => sum + each.values.size, 0)
      expect(blob.length).toBe(136 + 532 * Math.ceil(count / 8))
      expect(parsePcrBlob(blob)).toEqual(pcrs)
    }),
  )
})

/** A reader of blobs refuses a blob that is cut, wherever that is. */
function refusesCutBlobs(parse: typeof parsePcrBlob) {
  return fc.property(claimed, fc.nat(100_000), (pcrs, at) => {
    const blob = writePcrBlob(pcrs)
    expect(() => parse(blob.subarray(0, at % blob.length))).toThrow(WireError)
  })
}

test('a blob is refused when it is cut, wherever that is', () => {
  fc.assert(refusesCutBlobs(parsePcrBlob))
})

test('a reader that fills a cut blob up is found', () => {
  const filling: typeof parsePcrBlob = (bytes) => {
    const whole = new Uint8Array(Math.ceil((bytes.length - 136) / 532) * 532 + 136)
    whole.set(bytes.subarray(0, whole.length))
    return parsePcrBlob(whole)
  }
  expect(fc.check(refusesCutBlobs(filling), { numRuns: 4000, endOnFailure: true }).failed).toBe(
    true,
  )
})

const SPELLINGS: readonly ((pcr: string) => string)[] = [
  (pcr) => `0${pcr}`,
  (pcr) => ` ${pcr}`,
  (pcr) => `${pcr}.0`,
  (pcr) => `+${pcr}`,
  (pcr) => `${pcr}e0`,
  (pcr) => `0x${Number(pcr).toString(16)}`,
]

/** A reader of objects refuses any spelling of a PCR number but its decimal digits. */
function refusesOtherNumbers(parse: typeof parseSubjectData) {
  const spelling = fc.constantFrom(...SPELLINGS)
  return fc.property(bank, fc.nat(23), spelling, (one, at, spelled) => {
    const texts = [...one.values].map(
      ([pcr, value], index) =>
        [
          index === at % one.values.size ? spelled(String(pcr)) : String(pcr),
          toHex(value),
        ] as const,
    )
    expect(() => parse(Object.fromEntries(texts), one.bank)).toThrow(WireError)
  })
}

test('a PCR number is refused in any other spelling', () => {
  fc.assert(refusesOtherNumbers(parseSubjectData))
})

test('a reader that takes any key that looks like a number is found', () => {
  const lenient: typeof parseSubjectData = (value, name, path) => {
    const entries = Object.entries(Object(value)).map(([key, text]) => [String(Number(key)), text])
    return parseSubjectData(Object.fromEntries(entries), name, path)
  }
  expect(fc.check(refusesOtherNumbers(lenient), { numRuns: 8000, endOnFailure: true }).failed).toBe(
    true,
  )
})

test('claimed values are read from an object as they were, in any order of its members', () => {
  fc.assert(
    fc.property(bank, fc.boolean(), (one, upper) => {
      const texts = [...one.values].map(([pcr, value]) => {
        const digits = toHex(value)
        return [String(pcr), upper ? `0x${digits.toUpperCase()}` : digits] as const
      })
      const value = Object.fromEntries(texts.toReversed())
      expect(parseSubjectData(value, one.bank)).toEqual([one])
    }),
  )
})

test('a quote string of any three parts is read back as it was', () => {
  const part = fc.uint8Array({ minLength: 1, maxLength: 300 })
  const parts = fc.record({ message: part, signature: part, pcrBlob: part })
  fc.assert(
    fc.property(parts, (each) => {
      expect(parseQuoteString(writeQuoteString(each))).toEqual(each)
    }),
  )
})

test('anything at all is a quote string, or is refused with its place', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^r[A-Za-z0-9+/=]*(?::[A-Za-z0-9+/=]*){2}$/)),
      (text) => {
        try {
          expect(writeQuoteString(parseQuoteString(text))).toBe(text)
        } catch (error) {
          if (!(error instanceof WireError)) throw error
          expect(error.path).toMatch(/^quote/)
        }
      },
    ),
    { numRuns: 1000 },
  )
})
