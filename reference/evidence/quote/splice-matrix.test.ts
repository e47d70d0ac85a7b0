import { isDeepStrictEqual } from 'node:util'
import Table from 'cli-table3'
import { expect, test } from 'vitest'
import { type EvidenceCase, evaluate } from '../evaluate.ts'
import { RECORDED_QUOTES, recordedCase } from '../testing/recorded-case.ts'
import { makeStubMachine, stubCycle } from '../testing/stub-machine.ts'

type Member = keyof EvidenceCase['quote'] | 'attestationKey' | 'list'

/** Parts that are spliced from one attestation into another, alone and in related groups. */
const PARTS: Readonly<Record<string, readonly Member[]>> = {
  attest: ['message'],
  signature: ['signature'],
  PCRs: ['claimed'],
  key: ['attestationKey'],
  'IMA list': ['list'],
  'attest and signature': ['message', 'signature'],
  quote: ['message', 'signature', 'claimed'],
  'quote and key': ['message', 'signature', 'claimed', 'attestationKey'],
}

/** The evidence `base` with some members of `other`; the verifier's expectations stay those of `base`. */
function splice(base: EvidenceCase, other: EvidenceCase, members: readonly Member[]): EvidenceCase {
  const pick = (member: Member) => (members.includes(member) ? other : base)
  const { ima } = base
  const bytes = pick('list').ima?.bytes
  return {
    ...base,
    attestationKey: pick('attestationKey').attestationKey,
    quote: {
      message: pick('message').quote.message,
      signature: pick('signature').quote.signature,
      claimed: pick('claimed').quote.claimed,
    },
    ...(ima && bytes && { ima: { ...ima, bytes } }),
  }
}

/** `passes`, or the check that refused first; `same` when both attestations have these very bytes. */
function outcome(base: EvidenceCase, other: EvidenceCase, members: readonly Member[]): string {
  const spliced = splice(base, other, members)
  const [first] = evaluate(spliced).findings
  if (first) return String(first.context.check)
  return base !== other && isDeepStrictEqual(spliced, base) ? 'same' : 'passes'
}

type Attestations = Readonly<Record<string, EvidenceCase>>

/** Rows: the attestation that is spliced into; columns: the one the part comes from. */
function matrix(attestations: Attestations, part: string): readonly (readonly string[])[] {
  const cases = Object.values(attestations)
  return cases.map((base) => cases.map((other) => outcome(base, other, PARTS[part] ?? [])))
}

function print(attestations: Attestations, part: string): void {
  const names = Object.keys(attestations)
  const table = new Table({ head: [`${part} of`, ...names], style: { head: [], border: [] } })
  matrix(attestations, part).forEach((row, index) => {
    table.push([`in ${names[index]}`, ...row])
  })
  console.log(table.toString())
}

function cells(attestations: Attestations, part: string, diagonal: boolean): readonly string[] {
  const rows = matrix(attestations, part)
  return rows.flatMap((row, at) => row.filter((_, column) => (at === column) === diagonal))
}

const first = makeStubMachine(['/bin/a', '/bin/b', '/bin/c', '/bin/d'])
const second = makeStubMachine(['/bin/w', '/bin/x', '/bin/y', '/bin/z'])
const previousClock = { clock: 1000n, resetCount: 5, restartCount: 1 }
const EARLY = { bank: 'sha256', from: 0, until: 2, clock: 1000n } as const
const LATE = { ...EARLY, from: 2, until: 4, clock: 2000n, previousClock }

/** Two machines, two cycles of one of them, two banks of one of them; all over one nonce, which hides no splice. */
const STUB: Attestations = {
  'first, cycle 1': stubCycle(first, EARLY),
  'first, cycle 2': stubCycle(first, LATE),
  'first, sha1': stubCycle(first, { ...EARLY, bank: 'sha1' }),
  'second, cycle 1': stubCycle(second, EARLY),
  'second, cycle 2': stubCycle(second, LATE),
}

/** The quotes of the recorded boot: four keys and four banks of one TPM, over one nonce. */
const RECORDED: Attestations = Object.fromEntries(
  RECORDED_QUOTES.map((quote) => [quote.file, recordedCase({}, quote)]),
)

/**
 * Off-diagonal cells where both attestations hold the same bytes: a key signed several, a list is the same in both
 * banks, and PCR 10 and 16 were quoted under two keys.
 */
const SAME: Readonly<Record<string, number>> = { key: 3 * 2 + 2 * 1, 'IMA list': 2 }
const SAME_RECORDED: Readonly<Record<string, number>> = { key: 6 * 5, PCRs: 2 }

test.each(Object.keys(PARTS))(
  'of two machines, cycles and banks, another %s never passes',
  (part) => {
    print(STUB, part)
    expect(new Set(cells(STUB, part, true))).toEqual(new Set(['passes']))
    const others = cells(STUB, part, false)
    expect(others.filter((cell) => cell === 'passes')).toEqual([])
    expect(others.filter((cell) => cell === 'same')).toHaveLength(SAME[part] ?? 0)
  },
)

const QUOTE_PARTS = ['attest', 'signature', 'PCRs', 'key', 'attest and signature']

test.each(QUOTE_PARTS)('of the recorded quotes, another %s never passes', (part) => {
  expect(new Set(cells(RECORDED, part, true))).toEqual(new Set(['passes']))
  const others = cells(RECORDED, part, false)
  expect(others.filter((cell) => cell === 'passes')).toEqual([])
  expect(others.filter((cell) => cell === 'same')).toHaveLength(SAME_RECORDED[part] ?? 0)
})
