import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DoctorReport } from '../preflight/finding.ts'
import { readRunRecord } from '../target/processes/run-record.ts'
import { makeEnvironment } from '../target/testing/test-deployment.ts'
import { callDoctor, makeClinic } from './testing/test-clinic.ts'

interface Started {
  readonly file: string
  readonly out: string
  readonly port: number
  readonly argv: readonly string[]
}

/** A target file whose verifier is started by `words`; a server of its own when there are none. */
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
  const out = join(directory, 'visit')
  return { file, out, port, argv: ['--target', file, '--out', out] }
}

async function faultOf(argv: readonly string[]): Promise<readonly [number, string | undefined]> {
  const { code, said } = await callDoctor([...argv, '--json'])
  const { findings } = JSON.parse(said) as DoctorReport
  return [code, findings.find(({ severity }) => severity === 'fault')?.code]
}

/** The record of the one run in `out`. */
function recordIn(out: string) {
  const [name = ''] = readdirSync(join(out, 'runs'))
  return readRunRecord(join(out, 'runs', name))
}

test('what the target starts is started, looked over and ended', async () => {
  const { argv, file, out, port } = await started()
  const { code, said } = await callDoctor(argv)
  expect(said).toMatch(/^ok {5}verifier started: ready after /)
  expect(said).toContain(`verifier answers: https://127.0.0.1:${port}/version answers 418`)
  expect(said).toMatch(/\nin order: \d+ looks, 0 faults, \d warnings?\n/)
  expect(said).toContain(`\nnext: assay run --target ${file}\n`)
  expect(code).toBe(0)
  expect(recordIn(out)).toMatchObject({ processes: [], socket_directory: null })
})

test('a fault ends with exit code 2, its code, and what to do next', async () => {
  const { argv } = await started(['no-such-verifier'])
  const { code, said } = await callDoctor(argv)
  expect(said).toContain(
    'FAULT  D-START-NOT-FOUND  start: the command of verifier, "no-such-verifier", was not found on PATH',
  )
  expect(said).toMatch(/\n {7}next: install it, or correct roles\.verifier\.start\.command in /)
  expect(said).toContain('\nnot in order: 1 look, 1 fault, 0 warnings\nnot looked at, because')
  expect(said).not.toContain('assay run')
  expect(code).toBe(2)
})

test('a role that ends by itself has a code of its own', async () => {
  const { argv, out } = await started(['sh', '-c', 'exit 3'])
  expect(await faultOf(argv)).toEqual([2, 'D-START-EXITED'])
  expect(recordIn(out)).toMatchObject({ processes: [] })
})

test('a role that does not get ready has a code of its own', async () => {
  const { argv, out } = await started(['sleep', '60'])
  expect(await faultOf(argv)).toEqual([2, 'D-START-NOT-READY'])
  expect(recordIn(out)).toMatchObject({ processes: [] })
})

test('a busy port has a code of its own', async () => {
  const { argv, port } = await started()
  const server = createServer().listen(port, '127.0.0.1')
  expect(await faultOf(argv)).toEqual([2, 'D-PORT-BUSY'])
  server.close()
})

test('a target file that is not there is told like any other fault', async () => {
  expect(await faultOf(['--target', '/nowhere.yaml', '--out', (await started()).out])).toEqual([
    2,
    'D-TARGET-UNREADABLE',
  ])
})

test('the report as JSON holds everything, and nothing else is printed', async () => {
  const clinic = await makeClinic()
  const { report } = await clinic.visit(clinic.text)
  expect(report).toMatchObject({ schema: 'assay.doctor/1', name: 'clinic', ok: true })
  expect(new Set(Object.keys(report))).toEqual(
    new Set(['findings', 'name', 'not_made', 'ok', 'schema', 'target']),
  )
})

test('an agent registered for the trial of its EK certificate is deleted again', async () => {
  const clinic = await makeClinic()
  const { report } = await clinic.visit(clinic.text)
  expect(report.findings.at(-1)).toMatchObject({
    code: 'D-EK-TRUST',
    ok: true,
    detail: 'a virtual TPM with its EK certificate is registered',
  })
  expect(clinic.registrar.agents.size).toBe(0)
})

test('a wrong flag is refused with the way to the right ones', async () => {
  await expect(callDoctor(['--jason'])).rejects.toMatchObject({
    sentence: expect.stringContaining("unknown option '--jason'"),
    next: 'assay doctor --help lists the options',
  })
})
