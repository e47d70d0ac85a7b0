import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { loadRequirements } from './load-requirements.ts'

/** The folders whose code takes steps for a scenario. */
const FOLDERS = ['client', 'peers', 'oracle', 'steps']

test('a step that can fail names only requirements of the catalogue', () => {
  const known = new Set(loadRequirements().map(({ id }) => id))
  const files = FOLDERS.flatMap((name) => {
    const folder = join(packageRoot(), 'conformance', name)
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file))
  })
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'((?:REG|VER|SES|ATT|AGT|PSH)-[A-Z0-9-]+)'/g)].map(
      ([, id = '']) => id,
    ),
  )
  expect(named.filter((id) => !known.has(id))).toEqual([])
  expect(named).toContain('VER-ADD-STATUS')
})
