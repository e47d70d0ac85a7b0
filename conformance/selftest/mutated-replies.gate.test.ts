import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshSeed } from '../attempt/random.ts'
import { packageRoot } from '../input/package-root.ts'

const MAIN = 'conformance/selftest/mutated-replies/main.ts'
const { ASSAY_SEED: seed = freshSeed() } = process.env

test(`replies changed at random cause no fault of the harness (ASSAY_SEED=${seed})`, {
  timeout: 300_000,
}, async () => {
  const words = ['bin/dev.js', MAIN, '--seed', seed, '--every', '5', '--only', 'session.*']
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: packageRoot() })
  expect(stdout).toMatch(/^[1-9]\d* replies changed/m)
  expect(stdout).toContain('0 faults of the harness')
})
