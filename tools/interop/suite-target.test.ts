import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import type { InteropEnvironment } from './environment.ts'
import { interopTests, suiteTests } from './interop-tests.ts'
import { environmentDirectory } from './python-environment.ts'
import { writeTarget } from './suite-target.ts'

test('the suite can load the written target file', async () => {
  const run = { path: temporaryDirectory() }
  const ports = { pull: 1, push: 2, registrar: 3, registrarHttp: 4 }
  const environment = { run, places: { ports } } as unknown as InteropEnvironment
  const file = writeTarget(environment, {
    ...{ id: 'suite', role: 'verifier', versions: ['2.5'], capabilities: ['pull_mode'] },
    ...{ directory: '/state', verifier: 1, dialect: { 'agent-address': 'given' } },
  })
  const target = await loadTarget(file, { run: run.path, ekCa: '/ek', env: {} })
  expect(target.roles.map(({ url }) => url)).toEqual(['https://127.0.0.1:1', 'https://127.0.0.1:3'])
  expect(target.dialect).toMatchObject({ base: 'keylime', values: { 'agent-address': 'given' } })
})

test('the Python environment is outside the repository and named after the release', () => {
  expect(environmentDirectory({ XDG_CACHE_HOME: '/c' })).toMatch(/^\/c\/assay\/keylime-\d/)
  expect(environmentDirectory({ ASSAY_INTEROP_HOME: '/h' })).toBe(
    join('/h', environmentDirectory({ ASSAY_INTEROP_HOME: '' })),
  )
})

test('test ids are unique', () => {
  const ids = [...interopTests, ...suiteTests].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
