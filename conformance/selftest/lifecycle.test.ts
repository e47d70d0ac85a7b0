import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { junitFaults } from '../report/testing/junit-schema.ts'
import { isRunning } from '../target/testing/test-support.ts'
import { freshOut, readRecords, readResult, runAssay, startAssay } from './command.ts'

const SCHEMA = 'reports/schema/result.schema.json'

const out = freshOut()
const ONE = ['run', '--out', out, '--only', 'registrar.version.listed']
const MANY = ['run', '--out', out, '--only', 'push.*', '--verbose']

afterAll(() => rmSync(out, { recursive: true, force: true }))

function leftovers(): readonly string[] {
  return readRecords(out).flatMap(({ processes, socket_directory }) => [
    ...processes.filter(({ pid }) => isRunning(pid)).map(({ what }) => what),
    ...(socket_directory !== null && existsSync(socket_directory) ? [socket_directory] : []),
  ])
}

test('a conforming run leaves no process and no socket, and its reports match their schemas and name no secret and no host path', async () => {
  const { code } = await runAssay(['run', '--out', out, '--only', 'push.evidence.accepted'])
  expect(code).toBe(0)
  expect(leftovers()).toEqual([])
  const schema = JSON.parse(readFileSync(join(packageRoot(), SCHEMA), 'utf8')) as object
  const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(schema)
  expect(validate(readResult(out)), JSON.stringify(validate.errors)).toBe(true)
  expect(junitFaults(readFileSync(join(out, 'junit.xml'), 'utf8'))).toEqual([])
  const [run] = readRecords(out)
  const keys = ['client-private.pem', 'ca-private.pem'].map((name) =>
    readFileSync(join(run?.run ?? '', 'cv_ca', name), 'utf8'),
  )
  for (const file of ['result.json', 'junit.xml', 'report.html', 'transcripts.jsonl.gz']) {
    const bytes = readFileSync(join(out, file))
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
    expect(text).toContain('push.evidence.accepted')
    for (const key of keys) expect(text).not.toContain(key.split('\n')[1])
    expect(text).not.toMatch(/Bearer [0-9a-f-]{36}\.[A-Za-z0-9_-]{20}/)
    expect(text).not.toContain(packageRoot())
    expect(text).not.toContain(out)
  }
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a run with exit code 2 and reports of what had finished, without a process or socket left',
  async (signal) => {
    const running = startAssay(MANY)
    await running.prints('PASS')
    running.child.kill(signal)
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(2)
    expect(stderr.trim()).toBe(`assay: ended by ${signal}`)
    expect(stdout).toMatch(
      new RegExp(`the run was ended by ${signal}: \\d+ of \\d+ scenarios had finished`),
    )
    expect(readResult(out)).toMatchObject({ ended_early: { because: 'interrupted' }, exit_code: 2 })
    expect(leftovers()).toEqual([])
  },
)

test('a subject that is killed ends the run with exit code 1 and a report that names the signal', async () => {
  const own = freshOut()
  const running = startAssay(['run', '--out', own, '--only', 'push.*', '--verbose'])
  await running.prints('PASS')
  const [run] = readRecords(own)
  const verifier = run?.processes.find(({ what }) => what === 'verifier')
  process.kill(verifier?.pid ?? 0, 'SIGKILL')
  expect((await running.ended).code).toBe(1)
  const { verdict, ended_early: ended, totals } = readResult(own)
  expect({ verdict, because: ended?.because }).toEqual({
    verdict: 'does not conform',
    because: 'died',
  })
  expect(ended?.says).toMatch(
    /^the subject died .*: verifier was ended by SIGKILL during the run: /,
  )
  expect(totals.skipped).toBeGreaterThan(totals.fail)
  rmSync(own, { recursive: true, force: true })
})

test('a run whose output pipe is closed ends as on SIGHUP, without a process or socket left', async () => {
  const running = startAssay(MANY)
  await running.prints('PASS')
  running.child.stdout?.destroy()
  const { code, stderr } = await running.ended
  expect(code).toBe(2)
  expect(stderr.trim()).toBe('assay: ended by SIGHUP')
  expect(leftovers()).toEqual([])
})

test('the next run ends the processes of a killed run', async () => {
  const killed = startAssay(MANY)
  await killed.prints('PASS')
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(leftovers()).not.toEqual([])
  const { code } = await runAssay(ONE)
  expect(code).toBe(0)
  expect(leftovers()).toEqual([])
})
