import { expect, test } from 'vitest'
import { readJson } from './parse-json.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const list = (values: number) => `["a"${',1'.repeat(values - 1)}]`

test.each([
  ['nested as deep as the limit', nested(1000), undefined],
  ['nested one deeper', nested(1001), 'nests values more than 1000 deep'],
  ['a list of 1,999,999 values', list(1_999_999), undefined],
  ['a list of more', list(2_000_002), 'has more than 2 million values'],
  ['lists beside each other', `[${'[],'.repeat(5000)}1]`, undefined],
  ['brackets in a string', JSON.stringify([`\\"${'['.repeat(2000)}\\`]), undefined],
  ['text that is not JSON', `a${'['.repeat(2000)}`, undefined],
])('a message with %s', (_, text, excess) => {
  expect(readJson(text).excess).toBe(excess)
})
