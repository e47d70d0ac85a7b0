import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GeneralName } from './general-names.ts'
import { mayName } from './name-constraints.ts'

const directory = (...lines: readonly string[]): GeneralName => ({
  kind: 'directory',
  name: lines.map((line) => [
    { type: line.split('=')[0] ?? '', value: line.split('=')[1] ?? '', isText: true },
  ]),
})
const dns = (text: string): GeneralName => ({ kind: 'dns', text })
const email = (text: string): GeneralName => ({ kind: 'email', text })
const uri = (text: string): GeneralName => ({ kind: 'uri', text })
const ip = (...bytes: readonly number[]): GeneralName => ({
  kind: 'ip',
  bytes: Uint8Array.from(bytes),
})
const other: GeneralName = { kind: 'other', number: 0 }

test.each<[GeneralName, GeneralName, boolean]>([
  [directory('C=CH'), directory('C=CH', 'O=maker'), true],
  [directory('C=CH'), directory('C=CH'), true],
  [directory('C=CH'), directory('C=DE', 'O=maker'), false],
  [directory('C=CH', 'O=maker'), directory('C=CH'), false],
  [directory('O=A  Maker '), directory('O=a maker'), true],
  [
    directory('2.23.133.2.1=id:53544D20'),
    directory('2.23.133.2.1=id:53544d20', '2.23.133.2.2=x'),
    true,
  ],
  [dns('example.com'), dns('host.example.com'), true],
  [dns('example.com'), dns('EXAMPLE.com'), true],
  [dns('example.com'), dns('badexample.com'), false],
  [email('example.com'), email('a@example.com'), true],
  [email('example.com'), email('a@host.example.com'), false],
  [email('.example.com'), email('a@host.example.com'), true],
  [email('a@example.com'), email('b@example.com'), false],
  [uri('example.com'), uri('https://u@example.com:1/x'), true],
  [uri('example.com'), uri('https://example.org/example.com'), false],
  [uri('example.com'), uri('urn:example.com'), false],
  [ip(10, 0, 0, 0, 255, 0, 0, 0), ip(10, 1, 2, 3), true],
  [ip(10, 0, 0, 0, 255, 0, 0, 0), ip(11, 1, 2, 3), false],
  [ip(10, 0, 0, 0, 255, 0, 0, 0), ip(...new Array(16).fill(10)), false],
  [other, other, false],
])('within %o the name %o is permitted: %s', (tree, name, permitted) => {
  expect(mayName({ permitted: [tree], excluded: [] }, [name])).toBe(permitted)
})

test('an excluded name is refused even if it is also permitted', () => {
  const constraints = { permitted: [directory('C=CH')], excluded: [directory('C=CH', 'O=maker')] }
  expect(mayName(constraints, [directory('C=CH', 'O=another')])).toBe(true)
  expect(mayName(constraints, [directory('C=CH', 'O=maker', 'CN=TPM')])).toBe(false)
})

test('a constraint does not apply to names of another kind', () => {
  expect(mayName({ permitted: [dns('example.com')], excluded: [] }, [directory('C=CH')])).toBe(true)
})

test('one name out of many is enough to be refused', () => {
  const constraints = { permitted: [directory('C=CH')], excluded: [] }
  expect(mayName(constraints, [directory('C=CH', 'CN=x'), directory('C=DE')])).toBe(false)
})

test('a name that cannot be compared is in every excluded tree of its kind', () => {
  expect(mayName({ permitted: [], excluded: [other] }, [other])).toBe(false)
  expect(mayName({ permitted: [], excluded: [uri('example.com')] }, [uri('urn:x')])).toBe(false)
})

const label = fc.string({ unit: fc.constantFrom('a', 'b', 'C', ' '), minLength: 1, maxLength: 3 })
const names = fc.array(
  label.map((text) => `CN=${text}`),
  { maxLength: 4 },
)

test('a subtree that permits a name permits longer ones, and a shorter subtree permits at least as much', () => {
  fc.assert(
    fc.property(names, names, names, (tree, name, more) => {
      const permits = (trees: readonly string[], given: readonly string[]) =>
        mayName({ permitted: [directory(...trees)], excluded: [] }, [directory(...given)])
      if (!permits(tree, name)) return
      expect(permits(tree, [...name, ...more])).toBe(true)
      expect(permits(tree.slice(0, -1), name)).toBe(true)
    }),
  )
})

test('as an excluded subtree a tree excludes exactly the names that it permits, if they can be compared', () => {
  fc.assert(
    fc.property(names, names, (tree, name) => {
      const [trees, given] = [[directory(...tree)], [directory(...name)]]
      const permitted = mayName({ permitted: trees, excluded: [] }, given)
      expect(mayName({ permitted: [], excluded: trees }, given)).toBe(!permitted)
    }),
  )
})
