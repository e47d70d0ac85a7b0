import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import { cells } from './cells.ts'
import { environmentDirectory } from './python-environment.ts'
import { writeTarget } from './suite-target.ts'
import type { World } from './world.ts'

test('the target file of a suite is one that the suite reads', async () => {
  const run = { path: temporaryDirectory() }
  const ports = { pull: 1, push: 2, registrar: 3, registrarHttp: 4 }
  const world = { run, places: { ports } } as unknown as World
  const file = writeTarget(world, {
    ...{ id: 'suite', role: 'verifier', versions: ['2.5'], capabilities: ['pull_mode'] },
    ...{ directory: '/state', verifier: 1, dialect: { 'agent-address': 'given' } },
  })
  const target = await loadTarget(file, { run: run.path, ekCa: '/ek', env: {} })
  expect(target.roles.map(({ url }) => url)).toEqual(['https://127.0.0.1:1', 'https://127.0.0.1:3'])
  expect(target.dialect).toMatchObject({ base: 'keylime', values: { 'agent-address': 'given' } })
})

test('the programs of the other implementation lie outside the repository, by release', () => {
  expect(environmentDirectory({ XDG_CACHE_HOME: '/c' })).toMatch(/^\/c\/assay\/keylime-\d/)
  expect(environmentDirectory({ ASSAY_INTEROP_HOME: '/h' })).toBe(
    join('/h', environmentDirectory({ ASSAY_INTEROP_HOME: '' })),
  )
})

test('every meeting has an id of its own', () => {
  expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length)
})
