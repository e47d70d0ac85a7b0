import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operationalStatesPage } from './operational-states.ts'

test('the page of operational states matches the table; npm run docs prints it', () => {
  const page = new URL('../../../docs/operational-states.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(operationalStatesPage())
})
