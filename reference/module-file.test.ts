import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { loaderFor, moduleFile } from './module-file.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const SOURCE = fileURLToPath(new URL('testing/held-verifier.ts', import.meta.url))
const BUILT = fileURLToPath(new URL('../dist/reference/testing/held-verifier.js', import.meta.url))

test.each([
  ['', SOURCE, ['--import', 'tsx']],
  ['1', BUILT, []],
])('a checkout told "%s" of its build runs %s', (told, file, loader) => {
  vi.stubEnv('ASSAY_BUILT', told)
  const found = moduleFile('testing/held-verifier', import.meta.url)
  expect([found, loaderFor(found)]).toEqual([file, loader])
})

test('a package runs what lies beside the module, whatever it is told', () => {
  vi.stubEnv('ASSAY_BUILT', '1')
  const beside = 'file:///package/dist/reference/testing/kill-verifier.js'
  expect(moduleFile('../main', beside)).toBe('/package/dist/reference/main.js')
})
