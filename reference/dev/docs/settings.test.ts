import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsPage } from './settings.ts'

test('docs/settings.md has the settings of this code; npm run docs prints it', () => {
  const page = new URL('../../../docs/settings.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(settingsPage())
})
