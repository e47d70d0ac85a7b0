import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Table from 'cli-table3'
import { openAttester } from '../../agent/attester/attester.ts'
import { imaLog } from '../../agent/logs/ima-log.ts'
import { countingIma } from '../../agent/push/count-entries.ts'
import { pushDriver } from '../../agent/push/driver.ts'
import { BLANK } from '../../agent/push/memory.ts'
import { PUSH_AGENT_PARTS } from '../../agent/push/push-agent-parts.ts'
import { begun, IMA, QUOTE, TOKEN, taken } from '../../agent/push/testing/push-answers.ts'
import { testEnvironment } from '../../agent/push/testing/push-environment.ts'
import { jsonClient } from '../../http-client/json-client.ts'
import { systemRandom } from '../../platform/random.ts'
import { openTpm } from '../../tpm/transports/open-tpm.ts'
import { developmentProgram } from '../testing/development-program.ts'
import { authority, tlsOf } from '../testing/test-server.ts'

/** Cycles that count, and those before them, in which code is compiled. */
const CYCLES = 300
const WARM_UP = 150
const ENTRIES = 1000
/** A cycle, compared with its quote, its JSON and its two requests. */
const LIMIT = 3

const REQUESTED = [
  QUOTE,
  { ...IMA, chosen_parameters: { starting_offset: ENTRIES, format: 'text/plain' } },
]

/** A verifier in a process of its own: it answers, and evaluates nothing. */
async function serve(): Promise<void> {
  const { certificate: cert, key, ca } = await tlsOf(authority)
  const [challenge, answer] = [begun(REQUESTED), taken()].map((body) => JSON.stringify(body))
  const server = createServer({ cert, key }, (request, response) => {
    request.resume().once('end', () => {
      const isFirst = request.method === 'POST'
      response.writeHead(isFirst ? 201 : 202).end(isFirst ? challenge : answer)
    })
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port, ca })
  })
}

/** Milliseconds of processor of this process that one call takes. */
async function cpuOf(act: () => unknown): Promise<number> {
  for (let warm = 0; warm < WARM_UP; warm++) await act()
  const before = process.cpuUsage()
  for (let count = 0; count < CYCLES; count++) await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / CYCLES
}

async function startSwtpm(directory: string): Promise<ChildProcess> {
  const path = join(directory, 's')
  const words = [
    ...['socket', '--tpm2', '--flags', 'not-need-init,startup-clear'],
    ...['--tpmstate', `dir=${directory}`, '--server', `type=unixio,path=${path}`],
  ]
  const child = spawn('swtpm', words, { stdio: 'ignore' })
  while (!existsSync(path)) await delay(5)
  return child
}

async function measure(directory: string, server: ChildProcess): Promise<void> {
  const [{ port, ca }] = (await once(server, 'message')) as [{ port: number; ca: string }]
  const attester = await openAttester(openTpm({ kind: 'unix', path: join(directory, 's') }), {
    algorithms: { key: 'ecc256', hash: 'sha256', signing: 'ecdsa' },
    ...{ ekHandle: undefined, hierarchyPassword: new Uint8Array(), random: systemRandom },
    file: join(directory, 'agent_data.json'),
  })
  const list = join(directory, 'list')
  const line = (at: number) => `10 ${'a'.repeat(40)} ima-ng sha256:${'b'.repeat(64)} /file-${at}\n`
  writeFileSync(list, Array.from({ length: ENTRIES }, (_, at) => line(at)).join(''))
  const limits = { timeoutMs: 10_000, maxBytes: 1_000_000, connections: 1 }
  const verifier = jsonClient({ host: '127.0.0.1', port, trust: { ca }, ...limits })
  const ima = imaLog(list)
  const { environment } = testEnvironment({
    ...{ attester, verifier, imaLog: ima, countIma: countingIma(ima) },
    countBootEvents: async () => undefined,
  })
  const token = { value: TOKEN, expiresAt: undefined, renewAt: undefined }
  const driver = pushDriver(environment, PUSH_AGENT_PARTS, {
    ...{ state: 'Negotiating', memory: { ...BLANK, token } },
  })
  const { signal } = new AbortController()
  const cycle = await cpuOf(async () => {
    for (const event of ['challenged', 'accepted', 'waited']) {
      const step = await driver.step(signal)
      if (step.event !== event) throw new Error(`a cycle has ${event}, and not ${step.event}`)
    }
  })
  const evidence = {
    message: 'a'.repeat(200),
    signature: 'b'.repeat(100),
  }
  const quote = await cpuOf(() => attester.quote({ nonce: new Uint8Array(16), pcrs: [0, 10] }))
  const json = await cpuOf(() => {
    for (const body of [evidence, begun(REQUESTED)]) JSON.parse(JSON.stringify(body))
  })
  const requests = await cpuOf(async () => {
    await verifier.ask({ method: 'POST', path: '/x', body: {} })
    await verifier.ask({ method: 'PATCH', path: '/x', body: {} })
  })
  verifier.close()
  await attester.close()
  present({ cycle, quote, json, requests })
}

function present(costs: Readonly<Record<'cycle' | 'quote' | 'json' | 'requests', number>>): void {
  const { cycle, quote, json, requests } = costs
  const least = quote + json + requests
  const ratio = cycle / least
  if (ratio > LIMIT) process.exitCode = 1
  const table = new Table({ head: ['a cycle of a push agent', 'CPU ms', 'of its primitives'] })
  table.push(
    [
      `capabilities, quote, no new one of ${ENTRIES} entries, evidence`,
      cycle.toFixed(2),
      ratio.toFixed(2),
    ],
    ['a quote, with keys loaded and PCRs read', quote.toFixed(2), ''],
    ['JSON of both requests', json.toFixed(3), ''],
    ['two requests over a kept TLS connection', requests.toFixed(2), ''],
    ['primitives', least.toFixed(2), `1.00, limit ${LIMIT}`],
  )
  console.log(table.toString())
}

if (process.argv[2] === 'serve') await serve()
else {
  const directory = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const swtpm = await startSwtpm(directory)
  const [program = '', ...words] = developmentProgram('reference/dev/bench/push-agent.ts')
  const server = fork(program, [...words, 'serve'])
  try {
    await measure(directory, server)
  } finally {
    server.kill()
    swtpm.kill()
    rmSync(directory, { recursive: true, force: true })
  }
}
