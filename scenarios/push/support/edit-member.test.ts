import { expect, test } from 'vitest'
import { editMember } from './edit-member.ts'

const DOCUMENT = { data: { items: [{ evidence_type: 'a', n: 1 }, { evidence_type: 'b' }], x: 1 } }

test.each<[string, unknown, unknown]>([
  ['data x', 2, { data: { ...DOCUMENT.data, x: 2 } }],
  ['data x', undefined, { data: { items: DOCUMENT.data.items } }],
  [
    'data items a n',
    2,
    { data: { x: 1, items: [{ evidence_type: 'a', n: 2 }, { evidence_type: 'b' }] } },
  ],
  ['data items 1', undefined, { data: { x: 1, items: [{ evidence_type: 'a', n: 1 }] } }],
  ['data x', (x: number) => x + 6, { data: { ...DOCUMENT.data, x: 7 } }],
  ['data y', null, { data: { ...DOCUMENT.data, y: null } }],
])('at %s %o', (path, value, expected) => {
  expect(editMember(DOCUMENT, path.split(' '), value)).toEqual(expected)
})

test('the original is not changed', () => {
  const before = structuredClone(DOCUMENT)
  editMember(DOCUMENT, ['data', 'items', 'a', 'n'], 2)
  expect(DOCUMENT).toEqual(before)
})

test.each(['data x y', 'data items c', 'data z y'])(
  'a path without a target is reported: %s',
  (path) => {
    expect(() => editMember(DOCUMENT, path.split(' '), 1)).toThrow(/unknown/)
  },
)
