import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PolicyError } from '../../policy-error.ts'
import { compileExcludes } from './excludes.ts'

function excluded(expressions: readonly string[], paths: readonly string[]): readonly boolean[] {
  return paths.map(compileExcludes(expressions))
}

test('an expression is anchored at the start of a path and not at its end', () => {
  expect(excluded(['/bin', 'zzz'], ['/bin', '/bin/zzz', '/sbin', '/zzz'])).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('alternatives of one expression do not escape their anchor', () => {
  expect(excluded(['a|b', 'c'], ['a', 'b', 'c', 'xb'])).toEqual([true, true, true, false])
})

test('flags of one expression do not reach into the next', () => {
  expect(excluded(['(?i)/TMP', '/VAR'], ['/tmp', '/var', '/VAR'])).toEqual([true, false, true])
})

test('the start of a line is the start of a path also in an expression of lines', () => {
  expect(excluded(['(?m)^/tmp$'], ['/tmp', '/tmp\n/x', '/x\n/tmp'])).toEqual([true, true, false])
})

test('two expressions may use one group name', () => {
  expect(excluded(['/(?P<n>a)', '/(?P<n>b)'], ['/a', '/b', '/c', 'x/b'])).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a literal expression matches its own path, and no similar path', () => {
  const literal = (path: string) => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect(excluded([literal(path)], [path, `${path}/x`])).toEqual([true, true])
      expect(excluded([`${literal(path)}$`], [`${path}/x`])).toEqual([false])
    }),
    { numRuns: 30 },
  )
})

describe.each([
  ['lookahead', '/a(?=b)', '/ab', /^excludes\[1\]: lookaround is not supported/],
  ['negative lookahead', '/a(?!b)', '/a', /^excludes\[1\]: lookaround is not supported/],
  ['lookbehind', '(?<=a)b', 'b', /^excludes\[1\]: lookaround is not supported/],
  ['negative lookbehind', '(?<!a)b', 'b', /^excludes\[1\]: lookaround is not supported/],
  ['a backreference', '(a)\\1', 'aa', /^excludes\[1\]: a backreference is not supported/],
  ['a named backreference', '(?P<n>a)(?P=n)', 'aa', /^excludes\[1\]: a backreference is not/],
  ['a conditional', '(a)?(?(1)b)', 'ab', /^excludes\[1\]: a conditional is not supported/],
  ['an atomic group', '(?>a)', 'a', /^excludes\[1\]: an atomic group is not supported/],
  ['a quote that may stay open', 'a\\Qb', 'ab', /^excludes\[1\]: the escape \\Q is not supported/],
  [
    'an open parenthesis',
    '(',
    '(',
    /^excludes\[1\]: is not a regular .*missing closing \).*at "\("/,
  ],
  ['a bare star', '*', '*', /^excludes\[1\]: is not a regular expression: missing argument/],
  ['too many repetitions', 'a{1001}', 'a', /^excludes\[1\]: .*invalid repeat count, at "\{1001\}"/],
  ['deep nesting', `${'('.repeat(5000)}${')'.repeat(5000)}`, '', /^excludes\[1\]: .*too deeply/],
])('%s', (_, expression, path, message) => {
  test('is refused with its place', () => {
    expect(() => compileExcludes(['/ok', expression])).toThrow(PolicyError)
    expect(() => compileExcludes(['/ok', expression])).toThrow(message)
  })

  test('is taken as text when it is escaped', () => {
    const escaped = expression.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    expect(excluded([escaped], [expression, `x${path}`])).toEqual([true, false])
  })
})

test('an escaped backslash before a Q opens no quote', () => {
  expect(excluded(['/a\\\\Q'], ['/a\\Q', '/a'])).toEqual([true, false])
})

test('repetitions that expand too far are refused at the first expression over the limit', () => {
  const large = '[ab]{1000}[cd]{1000}'
  expect(() => compileExcludes([large, large])).not.toThrow()
  expect(() => compileExcludes([large, large, large])).toThrow(
    /^excludes\[2\]: the expressions up to here have 6060 characters .* at most 5056 are allowed/,
  )
  expect(() => compileExcludes(['(?:a{10}b{10}c{10}){100}'.repeat(60)])).toThrow(/^excludes\[0\]: /)
})

test('many expressions may repeat as much as they are long, up to a limit for all', () => {
  const digest = '/cache/[0-9a-f]{64}/[a-z]+'
  expect(() => compileExcludes(Array.from({ length: 1000 }, () => digest))).not.toThrow()
  expect(() => compileExcludes(Array.from({ length: 2000 }, () => digest))).toThrow(
    /^excludes\[\d+\]: .* at most 131072 are allowed/,
  )
})

/** Names that a kernel may list, and that ran for years on engines that go back. */
const NAME = `/${'a'.repeat(239)}!`

/** Interrupts a computation that a backtracking engine would not finish in years. */
function withDeadline<T>(compute: () => T): T {
  return runInNewContext('compute()', { compute }, { timeout: 20_000 })
}

test.each([
  ['nested repetition', '/(a+)+$'],
  ['alternatives that overlap', '/(a|a)*$'],
  ['a chain of wildcards', `${'.*'.repeat(40)}x`],
  ['optional letters before as many', `/${'a?'.repeat(239)}${'a'.repeat(240)}$`],
  ['a window that no automaton of states remembers', '.*a.{200}b'],
])('%s is matched in linear time', (_, expression) => {
  const match = compileExcludes([expression])
  const matches = () => Array.from({ length: 100 }, (_, time) => match(`${NAME}${time}`))
  expect(withDeadline(matches)).toEqual(Array.from({ length: 100 }, () => false))
})
