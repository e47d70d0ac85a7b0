import { expect, test } from 'vitest'
import { PublishedSchema } from '../../conformance/report/json/published-schema.ts'
import { digestOf, vectorGroups } from './corpus.ts'
import { presentGroups } from './present-vectors.ts'

const groups = vectorGroups()
const all = groups.flatMap(({ vectors }) => vectors)

test('each group has the published schema', () => {
  const schema = new PublishedSchema('vectors.schema.json')
  for (const group of groups)
    expect(schema.fits(JSON.parse(JSON.stringify(group))) || schema.problem()).toBe(true)
})

test('an open verdict without its readings has not the published schema', () => {
  const schema = new PublishedSchema('vectors.schema.json')
  const open = groups.find(({ vectors }) => vectors.some(({ expected }) => expected === 'either'))
  const vectors = open?.vectors.map(({ readings: _, ...vector }) => vector)
  expect(schema.fits({ ...open, vectors })).toBe(false)
})

test('ids are unique, and each changed vector differs from a baseline of its group that is valid', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const { vectors } of groups) {
    const byId = new Map(vectors.map((vector) => [vector.id, vector]))
    for (const { id, baseline, body } of vectors.filter(({ flaw }) => flaw !== undefined)) {
      const twin = byId.get(baseline ?? '')
      expect(twin?.expected, id).toBe('valid')
      expect(body, id).not.toEqual(twin?.body)
    }
  }
})

test('each vector names a flaw and requirements that its group explains', () => {
  for (const { flaws, requirements, vectors, vector_count } of groups) {
    expect(vector_count).toBe(vectors.length)
    const named = vectors.flatMap((vector) => vector.flaw ?? [])
    expect(Object.keys(flaws)).toEqual(expect.arrayContaining(named))
    const required = new Set(vectors.flatMap((vector) => vector.requirements))
    expect(Object.keys(requirements)).toEqual([...required].toSorted())
    for (const [id, says] of Object.entries(requirements)) expect(says, id).not.toBe('')
  }
})

test('there are valid and invalid vectors in each group', () => {
  for (const { group, vectors } of groups) {
    const expected = new Set(vectors.map((vector) => vector.expected))
    expect([...expected], group).toEqual(expect.arrayContaining(['valid', 'invalid']))
  }
  expect(presentGroups(groups)).toMatch(new RegExp(`│ all +│ +${all.length} │`))
})

test('the bytes are the same every time', () => {
  expect(digestOf(vectorGroups())).toBe(digestOf(groups))
})

test('the digest changes with a vector', () => {
  const [first] = groups
  if (first === undefined) throw new TypeError('there are groups')
  expect(digestOf([{ ...first, vectors: first.vectors.slice(1) }])).not.toBe(digestOf([first]))
})
