import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRunRecord } from '../processes/run-record.ts'
import type { TargetSubject } from '../target.ts'
import { makeEnvironment, type RunEnvironment } from '../testing/test-deployment.ts'
import { isRunning, writeScript } from '../testing/test-support.ts'
import { type SubjectSurroundings, startSubject } from './start-subject.ts'

const AGENT = { agentId: 'd432fbb3' }

function subject(
  environment: RunEnvironment,
  lines: readonly string[],
  change: Partial<TargetSubject> = {},
) {
  const script = writeScript(environment.directory, 'agent.mjs', lines)
  const command = [process.execPath, script]
  const agent = {
    role: 'push_agent',
    command,
    cwd: environment.directory,
    withinMs: 20_000,
  } as const
  return environment.target([], { subjects: [{ ...agent, env: {}, ...change }] })
}

const PRINT_VARIABLES = [
  'const variables = Object.entries(process.env).filter(([name]) => name.startsWith("ASSAY_"))',
  'console.log(JSON.stringify(Object.fromEntries(variables)))',
]

async function environmentOf(environment: RunEnvironment, surroundings: SubjectSurroundings) {
  const target = subject(environment, PRINT_VARIABLES)
  const started = await startSubject(target, environment.run, 'push_agent', surroundings)
  expect(await started.ended).toBe(0)
  const variables = JSON.parse(readFileSync(started.logs.out, 'utf8')) as Record<string, string>
  // Variables that are set for this test run do not come from Assay.
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !(name in process.env)))
}

test('a subject gets its surroundings in variables', async () => {
  const environment = await makeEnvironment()
  const surroundings = {
    ...AGENT,
    verifierUrl: 'https://127.0.0.1:1',
    registrarUrl: 'https://127.0.0.1:2',
    ca: '/pki/ca.crt',
    tpm: 'swtpm:path=/tmp/tpm',
  }
  expect(await environmentOf(environment, surroundings)).toEqual({
    ASSAY_AGENT_ID: 'd432fbb3',
    ASSAY_VERIFIER_URL: 'https://127.0.0.1:1',
    ASSAY_REGISTRAR_URL: 'https://127.0.0.1:2',
    ASSAY_CA: '/pki/ca.crt',
    ASSAY_TPM: 'swtpm:path=/tmp/tpm',
    ASSAY_RUN_DIR: environment.run.path,
    ASSAY_RUN: environment.run.path,
  })
})

test('absent surroundings have no variable', async () => {
  const environment = await makeEnvironment()
  expect(await environmentOf(environment, AGENT)).not.toHaveProperty('ASSAY_TPM')
})

test("a target's own environment does not override these variables", async () => {
  const environment = await makeEnvironment()
  const target = subject(environment, PRINT_VARIABLES, { env: { ASSAY_AGENT_ID: 'other' } })
  const started = await startSubject(target, environment.run, 'push_agent', AGENT)
  await started.ended
  expect(readFileSync(started.logs.out, 'utf8')).toContain('"ASSAY_AGENT_ID":"d432fbb3"')
})

test('a subject runs, and is recorded, until it is stopped', async () => {
  const environment = await makeEnvironment()
  const target = subject(environment, ['setInterval(() => undefined, 1000)'])
  const started = await startSubject(target, environment.run, 'push_agent', AGENT)
  const recorded = () => readRunRecord(environment.run.path)?.processes.map(({ what }) => what)
  expect(recorded()).toEqual(['push_agent'])
  await started.stop()
  expect(isRunning(started.pid)).toBe(false)
  expect(recorded()).toEqual([])
})

test('the end of a subject is reported', async () => {
  const environment = await makeEnvironment()
  const started = await startSubject(
    subject(environment, ['process.exit(3)']),
    environment.run,
    'push_agent',
    AGENT,
  )
  expect(await started.ended).toBe(3)
  expect(started.exitReason()).toBe('exited with code 3')
})

test('two subjects of one role do not share a log', async () => {
  const environment = await makeEnvironment()
  const target = subject(environment, PRINT_VARIABLES)
  const one = await startSubject(target, environment.run, 'push_agent', AGENT)
  const other = await startSubject(target, environment.run, 'push_agent', { agentId: '../other' })
  expect(one.logs.out).toMatch(/logs\/push_agent-d432fbb3\.out$/)
  expect(other.logs.out).toMatch(/logs\/push_agent-___other\.out$/)
})

test('a role that the target file lacks is refused', async () => {
  const environment = await makeEnvironment()
  const starting = startSubject(subject(environment, []), environment.run, 'tenant', AGENT)
  await expect(starting).rejects.toMatchObject({
    sentence: 'my.target.yaml has no role tenant',
    next: 'add roles.tenant.command to it',
  })
})

test('a subject with a missing program is refused, with the key to correct', async () => {
  const environment = await makeEnvironment()
  const target = subject(environment, [], { command: ['no-such-agent'] })
  await expect(startSubject(target, environment.run, 'push_agent', AGENT)).rejects.toMatchObject({
    code: 'D-START-NOT-FOUND',
    sentence: 'the command of push_agent, "no-such-agent", was not found on PATH',
    next: 'install it, or correct roles.push_agent.command in my.target.yaml',
  })
})
