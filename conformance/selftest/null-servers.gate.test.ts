import { readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import type { RunResult } from '../report/result.ts'
import { makeCa, temporaryDirectory } from '../target/testing/test-support.ts'
import { readResult, runAssay } from './command.ts'

/** Servers without any function, each with its constant reply. */
const NULL_SERVERS: readonly [string, RequestListener][] = [
  [
    '403 to everything',
    (_request, response) => {
      response.writeHead(403).end()
    },
  ],
  [
    '200 with an empty envelope',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 200, status: 'Success', results: {} }))
    },
  ],
]

test.each(NULL_SERVERS)(
  'a server with %s passes no negative scenario, and does not conform',
  { timeout: 300_000 },
  async (_what, answer) => {
    const { code, result } = await runAgainst(answer)
    const faults = result.scenarios.filter(({ outcome }) => outcome === 'harness-fault')
    expect(faults.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    expect(code).toBe(1)
    expect(result.verdict).toBe('does not conform')
    const negative = result.scenarios.filter(({ variant_of }) => variant_of !== undefined)
    expect(negative.length).toBeGreaterThan(14)
    // A twin whose only check is the status may pass with 200; its variant then has to detect the difference.
    // Scenarios that wait for real time do not run here.
    const known = ['blocked', 'fail', 'not-applicable', 'skipped']
    expect(negative.filter(({ outcome }) => !known.includes(outcome))).toEqual([])
    expect(result.totals.pass).toBeLessThan(result.scenarios.length / 10)
  },
)

async function runAgainst(
  answer: RequestListener,
): Promise<{ code: number | null; result: RunResult }> {
  const directory = temporaryDirectory()
  const ca = await makeCa(directory)
  const served = await ca.issue('server', { usages: ['serverAuth'] })
  const admin = await ca.issue('admin', { usages: ['clientAuth'] })
  const url = await listen(answer, served)
  const target = join(directory, 'null.target.yaml')
  const tls = { ca: ca.file, admin }
  const roles = { verifier: { url }, registrar: { url } }
  writeFileSync(
    target,
    stringify({
      name: 'null',
      versions: ['2.5', '3.0'],
      capabilities: [
        'pull_mode',
        'ima_log',
        'uefi_log',
        'measured_boot',
        'boot_policy_names',
        'tls_resumption',
        'ek_store',
        'device_identity',
      ],
      roles,
      tls,
    }),
  )
  const out = join(directory, 'out')
  const { code, stderr } = await runAssay(['run', '--target', target, '--out', out])
  expect(stderr).toBe('')
  return { code, result: readResult(out) }
}

function listen(
  answer: RequestListener,
  files: { certificate: string; key: string },
): Promise<string> {
  const read = (file: string) => readFileSync(file)
  const server = createServer({ cert: read(files.certificate), key: read(files.key) }, answer)
  onTestFinished(() => void server.close())
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}
