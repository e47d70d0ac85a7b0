import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PolicyError } from '../../policy-error.ts'
import { parseRuntimePolicy } from './runtime-policy.ts'

type Parse = typeof parseRuntimePolicy

/** JSON of a policy, with some members changed. */
function policyText(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    ...{ meta: { version: 1, generator: 2 }, release: 0, digests: {}, excludes: [], keyrings: {} },
    ...{ ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null } },
    ...{ 'ima-buf': {}, 'verification-keys': '', ...change },
  })
}

const path = fc.stringMatching(/^\/[a-z]{1,8}(?:\/[a-z]{1,8}){0,2}$/)
const digits = fc.constantFrom(40, 64, 96, 128)
const digest = fc.tuple(fc.constantFrom('a', '0', 'f'), digits).map(([digit, n]) => digit.repeat(n))
const digests = fc.dictionary(path, fc.array(digest, { minLength: 1, maxLength: 3 }), {
  minKeys: 1,
})

/** A property that a reader has, or has not. */
interface Stated {
  readonly hold: () => void
  readonly failsWithin: (numRuns: number) => boolean
}

function stated<T>(property: fc.IProperty<T>): Stated {
  return {
    hold: () => fc.assert(property, { numRuns: 300 }),
    failsWithin: (numRuns) => fc.check(property, { numRuns, endOnFailure: true }).failed,
  }
}

function refusesCapitals(parse: Parse): Stated {
  return stated(
    fc.property(path, digits, (name, count) => {
      const text = policyText({ digests: { [name]: ['AB'.repeat(count / 2)] } })
      expect(() => parse(text)).toThrow(PolicyError)
    }),
  )
}

function refusesOtherGenerators(parse: Parse): Stated {
  const generator = fc.oneof(fc.integer({ min: 4, max: 99 }), fc.constantFrom(-1, 0.5, '1', null))
  return stated(
    fc.property(generator, (one) => {
      expect(() => parse(policyText({ meta: { version: 1, generator: one } }))).toThrow(PolicyError)
    }),
  )
}

function readsAllDigests(parse: Parse): Stated {
  return stated(
    fc.property(digests, (stated) => {
      const read = [...parse(policyText({ digests: stated })).digests]
      const lists = read.map(([name, list]) => [name, [...list].toSorted()])
      const unique = Object.entries(stated).map(([name, list]) => [
        name,
        [...new Set(list)].toSorted(),
      ])
      expect(lists).toEqual(unique)
    }),
  )
}

/** An expression excludes the paths that begin as it says, and no others. */
function excludesFromTheStart(parse: Parse): Stated {
  return stated(
    fc.property(path, path, path, (excluded, before, after) => {
      const { excludes } = parse(policyText({ excludes: [excluded] }))
      expect(excludes(`${excluded}${after}`)).toBe(true)
      const inside = `${before}${excluded}`
      expect(excludes(inside)).toBe(inside.startsWith(excluded))
    }),
  )
}

const PROPERTIES: readonly (readonly [
  name: string,
  property: (parse: Parse) => Stated,
  broken: Parse,
])[] = [
  [
    'refuses digests in capitals',
    refusesCapitals,
    (text) => parseRuntimePolicy(text.toLowerCase()),
  ],
  [
    'refuses a generator that is not known',
    refusesOtherGenerators,
    (text) => parseRuntimePolicy(text.replace(/"generator":\d+/, '"generator":0')),
  ],
  [
    'reads every digest of every path',
    readsAllDigests,
    (text) => {
      const policy = parseRuntimePolicy(text)
      return { ...policy, digests: new Map([...policy.digests].slice(1)) }
    },
  ],
  [
    'excludes paths from their start',
    excludesFromTheStart,
    (text) => {
      const [excluded = ''] = JSON.parse(text).excludes
      return { ...parseRuntimePolicy(text), excludes: (name) => name.includes(excluded) }
    },
  ],
]

test.each(PROPERTIES)(
  'the reader of policies %s, and one that does not is found',
  (_, property, broken) => {
    property(parseRuntimePolicy).hold()
    expect(property(broken).failsWithin(8000)).toBe(true)
  },
)
