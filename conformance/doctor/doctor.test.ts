import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DoctorReport } from '../preflight/finding.ts'
import { readRunRecord } from '../target/processes/run-record.ts'
import { makeEnvironment } from '../target/testing/test-deployment.ts'
import { callDoctor, makeFixture } from './testing/test-fixture.ts'

interface Started {
  readonly directory: string
  readonly file: string
  readonly out: string
  readonly port: number
  readonly argv: readonly string[]
}

/** A target file whose verifier is started by `words`; without `words`, by a server of this test. */
async function started(words?: readonly string[]): Promise<Started> {
  const { directory, served } = await makeEnvironment()
  const { port, start } = await served('verifier')
  const file = join(directory, 'my.target.yaml')
  const command = JSON.stringify(words ?? start.command)
  const text = `name: x
versions: ['2.5']
roles:
  verifier:
    url: https://127.0.0.1:${port}
    start: { command: ${command}, ready: { within: 1s } }
tls: { ca: pki/ca.crt, admin: { certificate: pki/admin.crt, key: pki/admin.pem } }
`
  writeFileSync(file, text)
  const out = join(directory, 'doctor-out')
  return { directory, file, out, port, argv: ['--target', file, '--out', out] }
}

async function faultOf(argv: readonly string[]): Promise<readonly [number, string | undefined]> {
  const { code, output } = await callDoctor([...argv, '--json'])
  const { findings } = JSON.parse(output) as DoctorReport
  return [code, findings.find(({ severity }) => severity === 'fault')?.code]
}

/** The record of the only run in `out`. */
function recordIn(out: string) {
  const [name = ''] = readdirSync(join(out, 'runs'))
  return readRunRecord(join(out, 'runs', name))
}

test('the doctor starts, checks and ends the roles of the target', async () => {
  const { argv, file, out, port } = await started()
  const { code, output } = await callDoctor(argv)
  expect(output).toMatch(/^ok {5}target: .+\nok {5}verifier started: ready after /)
  expect(output).toContain(`verifier answers: https://127.0.0.1:${port}/version answers 418`)
  expect(output).toMatch(/\nok: \d+ checks, 0 faults, \d warnings?\n/)
  expect(output).toContain(`\nnext: assay run --target ${file}\n`)
  expect(code).toBe(0)
  expect(recordIn(out)).toMatchObject({ processes: [], socket_directory: null })
})

test('a fault gives exit code 2, its fault code and the next step', async () => {
  const { argv } = await started(['no-such-verifier'])
  const { code, output } = await callDoctor(argv)
  expect(output).toContain(
    'FAULT  D-START-NOT-FOUND  start: the command of verifier, "no-such-verifier", was not found on PATH',
  )
  expect(output).toMatch(/\n {7}next: install it, or correct roles\.verifier\.start\.command in /)
  expect(output).toContain('\nnot ok: 1 check, 1 fault, 0 warnings\nnot checked, because')
  expect(output).not.toContain('assay run')
  expect(code).toBe(2)
})

test('a role that exits after its start is reported as D-START-EXITED', async () => {
  const { argv, out } = await started(['sh', '-c', 'exit 3'])
  expect(await faultOf(argv)).toEqual([2, 'D-START-EXITED'])
  expect(recordIn(out)).toMatchObject({ processes: [] })
})

test('a role that does not become ready is reported as D-START-NOT-READY', async () => {
  const { argv, out } = await started(['sleep', '60'])
  expect(await faultOf(argv)).toEqual([2, 'D-START-NOT-READY'])
  expect(recordIn(out)).toMatchObject({ processes: [] })
})

test('a busy port is reported as D-PORT-BUSY', async () => {
  const { argv, port } = await started()
  const server = createServer().listen(port, '127.0.0.1')
  expect(await faultOf(argv)).toEqual([2, 'D-PORT-BUSY'])
  server.close()
})

test('without swtpm the doctor refuses, as a run does', async () => {
  const { argv, directory } = await started()
  vi.stubEnv('PATH', directory)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { code, output } = await callDoctor(argv)
  expect(output).toContain('FAULT  D-SWTPM  swtpm: swtpm is not installed')
  expect(output).not.toContain('assay run')
  expect(code).toBe(2)
})

test('a missing target file is reported as a fault', async () => {
  expect(await faultOf(['--target', '/nowhere.yaml', '--out', (await started()).out])).toEqual([
    2,
    'D-TARGET-UNREADABLE',
  ])
})

test('--json prints the whole report and nothing else', async () => {
  const fixture = await makeFixture()
  const { report } = await fixture.runDoctor(fixture.text)
  expect(report).toMatchObject({ schema: 'assay.doctor/1', name: 'fixture', ok: true })
  expect(new Set(Object.keys(report))).toEqual(
    new Set(['findings', 'name', 'not_made', 'ok', 'schema', 'target']),
  )
})

test('the doctor deletes the agents that it registers to check EK trust and capabilities', async () => {
  const fixture = await makeFixture()
  const { report } = await fixture.runDoctor(fixture.text)
  expect(report.findings.find(({ code }) => code === 'D-EK-TRUST')).toMatchObject({
    ok: true,
    detail: 'a virtual TPM with its EK certificate is registered',
  })
  expect(report.findings.at(-1)).toMatchObject({ code: 'D-CAPABILITY', ok: true })
  expect(fixture.registrar.agents.size).toBe(0)
})

test('an unknown option is refused, and the error names --help', async () => {
  await expect(callDoctor(['--jason'])).rejects.toMatchObject({
    sentence: expect.stringContaining("unknown option '--jason'"),
    next: 'assay doctor --help lists the options',
  })
})
