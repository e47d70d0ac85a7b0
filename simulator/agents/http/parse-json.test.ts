import { expect, test } from 'vitest'
import { readJson } from './parse-json.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const list = (values: number) => `["a"${',1'.repeat(values - 1)}]`

test.each([
  ['nested as deep as the limit', nested(1000), undefined],
  ['nested one deeper', nested(1001), 'nests values more than 1000 deep'],
  ['a list of 499,999 values', list(499_999), undefined],
  ['a list of more', list(500_002), 'has more than 500000 values'],
  ['lists beside each other', `[${'[],'.repeat(5000)}1]`, undefined],
  ['brackets in a string', JSON.stringify([`\\"${'['.repeat(2000)}\\`]), undefined],
  ['text that is not JSON', `a${'['.repeat(2000)}`, undefined],
])('a message with %s', (_, text, excess) => {
  expect(readJson(text).excess).toBe(excess)
})
