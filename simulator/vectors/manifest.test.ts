import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { manifestOf } from './manifest.ts'

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))

test('the manifest names every fixture with the digest it has', () => {
  const written: unknown = JSON.parse(readFileSync(`${fixtures}/MANIFEST.json`, 'utf8'))
  expect(manifestOf(fixtures)).toEqual(written)
})
