import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshSeed } from '../attempt/random.ts'
import { packageRoot } from '../input/package-root.ts'

const FOLDER = 'conformance/selftest/mutated-replies'
const { ASSAY_SEED: seed = freshSeed(), ASSAY_INPUTS: inputs = '3000' } = process.env

/** What a program prints, also when it finds faults and exits with 1: the failed test shows them. */
async function print(program: string, ...args: readonly string[]): Promise<string> {
  const words = ['bin/dev.js', `${FOLDER}/${program}`, '--seed', seed, ...args]
  const ended = promisify(execFile)(process.execPath, words, { cwd: packageRoot() })
  const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

test(`replies changed at random cause no fault of the harness (ASSAY_SEED=${seed})`, async () => {
  const stdout = await print('main.ts', '--every', '5', '--only', 'session.*')
  expect(stdout).toMatch(/^[1-9]\d* messages changed/m)
  expect(stdout).toContain('\n0 faults of the harness')
})

test(`requests of agents and tenants, changed at random, cause no fault of the harness (ASSAY_SEED=${seed})`, async () => {
  const scenarios = ['push-agent.session', 'pull-agent.registration.record', 'tenant.members']
  const stdout = await print('main.ts', '--requests', '3', '--only', ...scenarios)
  expect(stdout).toMatch(/^[1-9]\d* messages changed/m)
  expect(stdout).toContain('\n0 faults of the harness')
})

test(`no changed request is a fault of the servers that the harness plays (ASSAY_SEED=${seed})`, async () => {
  const stdout = await print('servers.ts', '--inputs', inputs)
  expect(stdout).toMatch(new RegExp(`^${inputs} changed requests`))
  expect(stdout).toContain('\n0 faults of the harness')
})

test(`no changed request in a recording is a fault of its judges (ASSAY_SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const stdout = await print('recording.ts', '--inputs', String(Math.ceil(Number(inputs) / 10)))
  expect(stdout).toMatch(/^[1-9]\d* changed recordings/)
  expect(stdout).toContain('\n0 faults of the harness')
})

test(`no changed answer is a fault of the client or of its readers (ASSAY_SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const stdout = await print('client.ts', '--inputs', inputs)
  expect(stdout).toMatch(new RegExp(`^${inputs} answers`))
  expect(stdout).toContain('\n0 faults of the harness')
})
