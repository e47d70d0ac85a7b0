import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex } from '../bytes/hex.ts'
import { flipped, recorded } from '../tpm/testing/recorded-boot.ts'
import { type EvidenceCase, evaluate } from './evaluate.ts'
import { digestSet } from './ima/list/digest-set.ts'
import { parseTpmPolicy } from './quote/tpm-policy.ts'
import { recordedCase } from './testing/recorded-case.ts'
import { recordedPolicy } from './testing/recorded-policy.ts'
import { EV_NO_ACTION, parseBootLog } from './uefi/log/parse-log.ts'

const POLICY = recordedPolicy()

function whole(change: Partial<EvidenceCase> = {}): EvidenceCase {
  return recordedCase({
    ima: { format: 'ascii', bytes: recorded('ascii_after_tools'), startingOffset: 0 },
    uefi: recorded('binary_bios_measurements'),
    measuredBoot: { required: true },
    runtimePolicy: POLICY,
    ignoreTomtouErrors: true,
    ...change,
  })
}

test.each(['ascii', 'binary'] as const)(
  'the whole recorded boot passes, with its %s list',
  (format) => {
    const ima = { format, bytes: recorded(`${format}_after_tools`), startingOffset: 0 }
    const seen = evaluate(whole({ ima }))
    expect(seen).toMatchObject({ verdict: 'pass', findings: [] })
    expect(seen.failureReason).toBeUndefined()
    expect(seen.clock).toEqual({ clock: 0x6561n, resetCount: 2, restartCount: 0 })
    expect(Object.keys(seen.verifiedPcrs?.sha256 ?? {})).toHaveLength(24)
  },
)

test('a quote that fails leaves nothing to rest on', () => {
  const seen = evaluate(whole({ nonce: fromHex('00') }))
  expect(seen.findings).toMatchObject([{ context: { check: 'quote.nonce' } }])
  expect([seen.verifiedPcrs, seen.clock, seen.ima]).toEqual([undefined, undefined, undefined])
})

test('a broken chain wins over a violated policy', () => {
  const tpmPolicy = parseTpmPolicy(JSON.stringify({ '0': ['00'.repeat(32)] }))
  expect(evaluate(whole({ tpmPolicy })).failureReason).toBe('policy_violation')
  const ima = { format: 'ascii', bytes: new Uint8Array(), startingOffset: 0 } as const
  expect(evaluate(whole({ tpmPolicy, ima })).failureReason).toBe('broken_evidence_chain')
})

/** The same policy, but for another boot_aggregate. */
function pinned(digest: string) {
  const digests = new Map([...POLICY.digests, ['boot_aggregate', digestSet([digest])] as const])
  const allows = (path: string, hex: string) => digests.get(path)?.has(hex) === true
  return { ...POLICY, digests, allows }
}

test('a boot log of which no policy judges the boot does not replace a listed boot_aggregate', () => {
  const [listed] = POLICY.digests.get('boot_aggregate') ?? []
  const { measuredBoot: _, ...unasked } = whole()
  const seen = (digest: string) => evaluate({ ...unasked, runtimePolicy: pinned(digest) }).findings
  expect(seen(listed ?? '')).toEqual([])
  expect(seen('00'.repeat(32))).toMatchObject([{ context: { path: 'boot_aggregate' } }])
  expect(evaluate(whole({ runtimePolicy: pinned('00'.repeat(32)) })).findings).toEqual([])
})

test('the result of an evaluation is plain data, but for the clock', () => {
  const { clock, ...plain } = evaluate(whole())
  expect(structuredClone(plain)).toEqual(plain)
  expect(JSON.parse(JSON.stringify(plain))).toEqual(plain)
  expect(typeof clock?.clock).toBe('bigint')
})

/** One change of a byte string, as data, so that a counterexample is short. */
interface Mutation {
  readonly kind: 'flip' | 'cut' | 'insert' | 'remove'
  readonly at: number
  readonly more: readonly number[]
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'insert', 'remove'),
  at: fc.nat(99_999),
  more: fc.array(fc.nat(255), { minLength: 1, maxLength: 16 }),
})

function mutate(bytes: Uint8Array, { kind, at, more }: Mutation): Uint8Array {
  const place = at % bytes.length
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)]
  if (kind === 'flip') return flipped(bytes, place, (more[0] ?? 0) % 8)
  if (kind === 'cut') return before
  const kept = kind === 'insert' ? [...more, ...after] : after.subarray(more.length)
  return Uint8Array.from([...before, ...kept])
}

function same(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0
}

const BASE = whole()
const QUOTE = BASE.quote

test.each(['message', 'signature'] as const)(
  'no change of the %s passes, and none throws',
  (part) => {
    fc.assert(
      fc.property(mutation, (change) => {
        const changed = mutate(QUOTE[part], change)
        fc.pre(!same(changed, QUOTE[part]))
        expect(evaluate(whole({ quote: { ...QUOTE, [part]: changed } }))).toMatchObject({
          verdict: 'fail',
          failureReason: 'broken_evidence_chain',
        })
      }),
      { numRuns: 300 },
    )
  },
)

test('no change of the attestation key throws', () => {
  fc.assert(
    fc.property(mutation, (change) => {
      const attestationKey = mutate(BASE.attestationKey, change)
      expect(['pass', 'fail']).toContain(evaluate(whole({ attestationKey })).verdict)
    }),
    { numRuns: 200 },
  )
})

test('a PCR blob that still passes claims the same values', () => {
  const proven = evaluate(BASE).verifiedPcrs
  fc.assert(
    fc.property(mutation, (change) => {
      const bytes = mutate(recorded('rsassa_sha256_all.pcrs'), change)
      const seen = evaluate(whole({ quote: { ...QUOTE, claimed: { form: 'blob', bytes } } }))
      if (seen.verdict === 'pass') expect(seen.verifiedPcrs).toEqual(proven)
      else expect(seen.failureReason).toBe('broken_evidence_chain')
    }),
    { numRuns: 200 },
  )
})

/** Blank lines and the last newline of an ASCII list say nothing. */
function essence(format: 'ascii' | 'binary', list: Uint8Array): string {
  const text = Buffer.from(list).toString('latin1')
  return format === 'ascii' ? text.replace(/\n+/g, '\n').replace(/^\n|\n$/g, '') : text
}

/** A change of a violation entry does not show: its PCR value does not depend on its data. */
const VIOLATION = /^10 0{40} .*$/gm

test('an ASCII list that still passes is the same list, but for what violations name', () => {
  const baseline = essence('ascii', recorded('ascii_after_tools'))
  fc.assert(
    fc.property(mutation, (change) => {
      const bytes = mutate(recorded('ascii_after_tools'), change)
      const seen = evaluate(whole({ ima: { format: 'ascii', bytes, startingOffset: 0 } }))
      const blank = (text: string) => text.replace(VIOLATION, 'violation')
      if (seen.verdict === 'pass') expect(blank(essence('ascii', bytes))).toBe(blank(baseline))
    }),
    { numRuns: 300 },
  )
})

test.each(['ascii', 'binary'] as const)(
  'a changed %s list that passes certifies the same PCR value',
  (format) => {
    const carried = evaluate(BASE).ima?.carried
    fc.assert(
      fc.property(mutation, (change) => {
        const bytes = mutate(recorded(`${format}_after_tools`), change)
        const seen = evaluate(whole({ ima: { format, bytes, startingOffset: 0 } }))
        if (seen.verdict === 'pass') expect(seen.ima?.carried).toEqual(carried)
      }),
      { numRuns: 200 },
    )
  },
)

function hasQuotedBank(log: Uint8Array): boolean {
  try {
    return parseBootLog(log).banks.includes('sha256')
  } catch {
    return true // an unreadable value has lost more than a bank
  }
}

test('a changed boot log passes, or breaks the chain, unless the quoted bank is gone from it', () => {
  fc.assert(
    fc.property(mutation, (change) => {
      const uefi = mutate(recorded('binary_bios_measurements'), change)
      const { failureReason } = evaluate(whole({ uefi }))
      expect(failureReason === 'policy_violation').toBe(!hasQuotedBank(uefi))
    }),
    { numRuns: 200 },
  )
})

test('a changed digest of the quoted bank never passes', () => {
  const baseline = recorded('binary_bios_measurements')
  const places = parseBootLog(baseline).events.flatMap(({ untrustedType, digests }) => {
    const digest = untrustedType === EV_NO_ACTION ? undefined : digests.get('sha256')
    return digest ? [digest.byteOffset - baseline.byteOffset] : []
  })
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.nat(31), fc.nat(7), (start, at, bit) => {
      const uefi = flipped(baseline, start + at, bit)
      expect(evaluate(whole({ uefi })).failureReason).toBe('broken_evidence_chain')
    }),
  )
})

test('bytes that were never evidence are refused and do not throw', () => {
  const anything = fc.uint8Array({ maxLength: 400 })
  fc.assert(
    fc.property(anything, anything, anything, anything, (message, signature, bytes, list) => {
      const quote = { message, signature, claimed: { form: 'blob', bytes } } as const
      const ima = { format: 'binary', bytes: list, startingOffset: 0 } as const
      expect(evaluate(whole({ quote, ima, uefi: list })).verdict).toBe('fail')
      expect(evaluate(whole({ ima, uefi: list })).verdict).toBe('fail')
    }),
    { numRuns: 200 },
  )
})
