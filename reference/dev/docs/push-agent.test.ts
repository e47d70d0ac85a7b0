import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pushAgentPage } from './push-agent.ts'

test('the page of the push agent matches the table; npm run docs prints it', () => {
  const page = new URL('../../../docs/push-agent.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(pushAgentPage())
})
