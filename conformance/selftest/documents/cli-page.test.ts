import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { cliPage, verbsWithoutSection } from './cli-page.ts'

test('docs/cli.md has what --help of every command prints; npm run docs prints it', async () => {
  const page = await cliPage()
  expect(verbsWithoutSection(page)).toEqual([])
  expect(page).not.toMatch(/\[object |undefined|NaN|default: (?:\[\]|false)/)
  expect(readFileSync(join(packageRoot(), 'docs', 'cli.md'), 'utf8')).toBe(page)
})
