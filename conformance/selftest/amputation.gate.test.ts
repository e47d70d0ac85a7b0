import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { runAssay } from './command.ts'

const LEFT_OUT = new Set(['reference', 'node_modules', 'dist', '.git', 'reports'])
const root = mkdtempSync(join(tmpdir(), 'assay-amputation-'))

beforeAll(() => {
  for (const name of readdirSync(packageRoot())) {
    if (!LEFT_OUT.has(name))
      cpSync(join(packageRoot(), name), join(root, name), { recursive: true })
  }
  symlinkSync(join(packageRoot(), 'node_modules'), join(root, 'node_modules'))
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

test('the harness builds without the reference', () => {
  const compiler = join(root, 'node_modules', 'ts7', 'bin', 'tsc')
  const output = execFileSync(process.execPath, [compiler, '-p', '.'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(output).toBe('')
})

test('the harness lists its scenarios without the reference', async () => {
  const cutting = runAssay(['list'], { root })
  const [whole, cut] = await Promise.all([runAssay(['list']), cutting])
  expect(cut.code).toBe(0)
  expect(cut.stdout).toBe(whole.stdout)
})

test('without the reference, a verb that needs it fails with a sentence', async () => {
  const { code, stderr } = await runAssay(['verifier'], { root })
  expect(code).toBe(2)
  expect(stderr.trim()).toBe('assay: this copy of Assay carries no reference implementation')
})
