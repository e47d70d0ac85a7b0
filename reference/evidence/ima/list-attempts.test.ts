import { expect, test } from 'vitest'
import { runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import {
  type Facts,
  type Forged,
  factsOf,
  honest,
  LIST_ATTEMPTS,
  REAL_LISTS,
} from '../testing/list-attempts.ts'
import { provenPcrs } from '../testing/proven-pcrs.ts'
import { listOf, pcrAfter } from '../testing/written-list.ts'
import { evaluateIma } from './evaluate-ima.ts'
import { LineMemo } from './list/line-memo.ts'
import { parseRuntimePolicy, type RuntimePolicy } from './policy/runtime-policy.ts'

const LISTS = new Map(REAL_LISTS.map((file) => [file, factsOf(file)] as const))

/** The policy that allows exactly what a list says. */
function policyOf(facts: readonly Facts[]): RuntimePolicy {
  const tables = { files: new Map<string, string[]>(), buffers: new Map<string, string[]>() }
  for (const { template, name, digest } of facts) {
    const table = template === 'ima-buf' ? tables.buffers : tables.files
    table.set(name, [...(table.get(name) ?? []), digest.hex])
  }
  const document = {
    ...JSON.parse(runtimePolicy(Object.fromEntries(tables.files))),
    'ima-buf': Object.fromEntries(tables.buffers),
  }
  return parseRuntimePolicy(JSON.stringify(document))
}

/** Checks with findings in a list of a machine that measured what it did. */
function found(
  { sent, measured = sent }: Forged,
  policy: RuntimePolicy,
  memo?: LineMemo,
): readonly unknown[] {
  const quoted = { bank: 'sha256', values: new Map([[10, pcrAfter(measured)]]) }
  const evidence = { format: 'ascii', bytes: listOf(sent), startingOffset: 0 } as const
  const expected = { policy, ignoreTomtouErrors: false, bootAggregates: new Set<string>() }
  const proven = provenPcrs([quoted])
  const { findings } = evaluateIma(evidence, proven, expected, undefined, undefined, memo)
  return findings.map(({ context }) => context['check'])
}

const policies = new Map([...LISTS].map(([file, facts]) => [file, policyOf(facts)] as const))

function policyFor(file: string): RuntimePolicy {
  return policies.get(file) ?? policyOf([])
}

test.each(REAL_LISTS)('%s passes as it is', (file) => {
  expect(found(honest(LISTS.get(file) ?? []), policyFor(file))).toEqual([])
})

const PLACES = [0, 0.3, 0.6, 1]
const count = new Map<string, number>()

/** The outcomes of an attempt in all lists, in several places, that are without the finding that it must have. */
function missed(attempt: (typeof LIST_ATTEMPTS)[number]): readonly unknown[] {
  const { kind, check, forge } = attempt
  return [...LISTS].flatMap(([file, facts]) => {
    const places = new Set(PLACES.map((place) => Math.round(place * (facts.length - 1))))
    const buffer = facts.findIndex(({ template }) => template === 'ima-buf')
    return [...places, ...(buffer < 0 ? [] : [buffer])].flatMap((at) => {
      const forged = forge(facts, at)
      if (forged === undefined) return []
      count.set(kind, (count.get(kind) ?? 0) + 1)
      const seen = found(forged, policyFor(file))
      return seen.includes(check) ? [] : [[file, at, seen]]
    })
  })
}

test.each(LIST_ATTEMPTS.map((one) => [one.kind, one.what, one.check, one] as const))(
  '%s %s is refused by %s',
  (_kind, _what, _check, attempt) => {
    expect(missed(attempt)).toEqual([])
  },
)

test('attempts are more than five hundred, listed by kind', () => {
  console.info(
    [...count].map(([kind, times]) => `${String(times).padStart(5)}  ${kind}`).join('\n'),
  )
  expect([...count.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(500)
})

test.each(REAL_LISTS)(
  'what one policy let pass of %s is judged by the next one, which lacks any one file',
  (file) => {
    const [facts, memo] = [LISTS.get(file) ?? [], new LineMemo()]
    const whole = policyFor(file)
    for (const at of facts.keys()) {
      const lacking = policyOf(facts.filter(({ name }) => name !== facts[at]?.name))
      expect(found(honest(facts), whole, memo)).toEqual([])
      expect(found(honest(facts), lacking, memo)).toContain('ima.entry-policy')
    }
  },
)
