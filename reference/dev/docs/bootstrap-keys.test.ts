import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bootstrapKeysPage } from './bootstrap-keys.ts'

test('the page of bootstrap keys matches the table; npm run docs prints it', () => {
  const page = new URL('../../../docs/bootstrap-keys.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(bootstrapKeysPage())
})
