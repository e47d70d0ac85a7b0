import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../attempt/poll.ts'
import { readRunRecord } from '../processes/run-record.ts'
import type { TargetRole } from '../target.ts'
import { makeEnvironment, type RunEnvironment } from '../testing/test-deployment.ts'
import { ends, isRunning, makeCa, writeScript } from '../testing/test-support.ts'
import { startDeployment } from './deployment.ts'

function recordedPids({ run }: RunEnvironment): readonly number[] {
  return readRunRecord(run.path)?.processes.map(({ pid }) => pid) ?? []
}

/** The error of a start that must leave no process. */
async function refusal(
  environment: RunEnvironment,
  roles: readonly TargetRole[],
): Promise<{ sentence: string; next: string }> {
  const error: unknown = await startDeployment(environment.target(roles), environment.run).catch(
    (thrown: unknown) => thrown,
  )
  expect(recordedPids(environment)).toEqual([])
  return { sentence: String(Object(error).sentence), next: String(Object(error).next) }
}

/** A role started by a script of these lines, on a port where nothing listens. */
async function scripted(environment: RunEnvironment, lines: readonly string[], withinMs = 5000) {
  const role = await environment.served('verifier')
  const script = writeScript(environment.directory, 'role.mjs', lines)
  return {
    ...role,
    start: environment.start([process.execPath, script, String(role.port)], withinMs),
  }
}

async function listenPlainly(): Promise<number> {
  const server = createPlainServer((_, reply) => reply.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('a deployment is ready when each role answers over TLS with any status', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const deployment = await startDeployment(environment.target([role]), environment.run)
  expect(deployment.roles).toEqual({ verifier: { url: role.url } })
  expect(deployment.steps).toMatchObject([{ what: 'verifier started', ok: true }])
  expect(deployment.died()).toBeUndefined()
})

test('a role without a start command is not started', async () => {
  const environment = await makeEnvironment()
  const deployment = await startDeployment(
    environment.target([{ role: 'registrar', url: 'https://127.0.0.1:1' }]),
    environment.run,
  )
  expect(deployment.roles).toEqual({ registrar: { url: 'https://127.0.0.1:1' } })
  expect(deployment.steps).toEqual([])
})

test('roles are started in the order of the file', async () => {
  const environment = await makeEnvironment()
  const roles = [await environment.served('verifier'), await environment.served('registrar')]
  await startDeployment(environment.target(roles), environment.run)
  const names = readRunRecord(environment.run.path)?.processes.map(({ what }) => what)
  expect(names).toEqual(['verifier', 'registrar'])
})

test('stop ends every role and leaves no recorded process', async () => {
  const environment = await makeEnvironment()
  const roles = [await environment.served('verifier'), await environment.served('registrar')]
  const deployment = await startDeployment(environment.target(roles), environment.run)
  const pids = recordedPids(environment)
  await deployment.stop()
  expect(pids.map(isRunning)).toEqual([false, false])
  expect(recordedPids(environment)).toEqual([])
})

test('stop ends the processes that a role has started', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const shell = ['sh', '-c', 'sleep 60 & echo $!; "$@"; :', 'sh', ...role.start.command]
  const wrapped = { ...role, start: environment.start(shell) }
  const deployment = await startDeployment(environment.target([wrapped]), environment.run)
  const sleeper = Number(readFileSync(join(environment.run.path, 'logs', 'verifier.out'), 'utf8'))
  expect(isRunning(sleeper)).toBe(true)
  await deployment.stop()
  expect(isRunning(sleeper)).toBe(false)
})

test('a role that ends during the run is reported with its last output', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const deployment = await startDeployment(environment.target([role]), environment.run)
  const [pid = 0] = recordedPids(environment)
  process.kill(pid, 'SIGKILL')
  await until(() => deployment.died() !== undefined, { withinMs: 20_000 })
  expect(deployment.died()).toBe('verifier was ended by SIGKILL during the run: it wrote nothing')
})

test('a stopped deployment reports no ended role', async () => {
  const environment = await makeEnvironment()
  const deployment = await startDeployment(
    environment.target([await environment.served('verifier')]),
    environment.run,
  )
  await deployment.stop()
  expect(deployment.died()).toBeUndefined()
})

test('a long last output is cut at its beginning', async () => {
  const environment = await makeEnvironment()
  const role = await scripted(environment, [
    "console.error('x'.repeat(1000) + 'end')",
    'process.exit(1)',
  ])
  expect((await refusal(environment, [role])).sentence).toMatch(/ready: …x{397}end$/)
})

test('a role gets the environment of the runner, its own variables and the mark of the run', async () => {
  const environment = await makeEnvironment()
  const role = await scripted(environment, [
    'console.error(process.env.MINE, process.env.ASSAY_RUN, process.env.PATH === undefined)',
    'process.exit(1)',
  ])
  const start = { ...role.start, env: { MINE: 'yes' } }
  expect((await refusal(environment, [{ ...role, start }])).sentence).toContain(
    `yes ${environment.run.path} false`,
  )
})

test('a missing command is refused, with the key to correct', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  expect(
    await refusal(environment, [{ ...role, start: environment.start(['no-such-verifier']) }]),
  ).toEqual({
    sentence: 'the command of verifier, "no-such-verifier", was not found on PATH',
    next: 'install it, or correct roles.verifier.start.command in my.target.yaml',
  })
})

test('a command without execute permission is refused', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const script = writeScript(environment.directory, 'not-executable', [])
  const { sentence } = await refusal(environment, [{ ...role, start: environment.start([script]) }])
  expect(sentence).toBe(`the command of verifier, "${script}", cannot be run (EACCES)`)
})

test('a missing working directory is refused', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const start = { ...role.start, cwd: join(environment.directory, 'nowhere') }
  expect(await refusal(environment, [{ ...role, start }])).toEqual({
    sentence: `the directory ${start.cwd} of verifier does not exist`,
    next: 'correct roles.verifier.start.cwd in my.target.yaml',
  })
})

test('a role that exits early is refused, with its exit code and last output', async () => {
  const environment = await makeEnvironment()
  const role = await scripted(environment, [
    "console.error('no database\\nbye')",
    'process.exit(3)',
  ])
  expect((await refusal(environment, [role])).sentence).toBe(
    'verifier exited with code 3 before it was ready: no database / bye',
  )
})

test('a role that never answers is refused after its time limit, and ended', async () => {
  const environment = await makeEnvironment()
  const role = await scripted(environment, ['setInterval(() => undefined, 1000)'], 400)
  const { sentence, next } = await refusal(environment, [role])
  expect(sentence).toBe(
    `verifier did not answer ${role.url}/version within 400 ms: nothing listens there`,
  )
  expect(next).toContain('logs/verifier.err, or raise roles.verifier.start.ready.within')
})

test('a role that accepts connections without answering is refused after its time limit', async () => {
  const environment = await makeEnvironment()
  const lines = [
    "import { createServer } from 'node:net'",
    "createServer().listen(process.argv[2], '127.0.0.1')",
  ]
  /** A limit within which the role did not even listen, on a busy machine, shows nothing. */
  const refusedIn = async ([limit = 0, ...longer]: readonly number[]): Promise<string> => {
    const { sentence } = await refusal(environment, [await scripted(environment, lines, limit)])
    const isEarly = longer.length > 0 && sentence.endsWith('nothing listens there')
    return isEarly ? refusedIn(longer) : sentence
  }
  expect(await refusedIn([600, 6000, 60_000])).toMatch(/within \d+ m?s: no answer within \d+ ms$/)
})

test('if the second role cannot be started, the first is ended', async () => {
  const environment = await makeEnvironment()
  const first = await environment.served('registrar')
  const second = {
    ...(await environment.served('verifier')),
    start: environment.start(['no-such-verifier']),
  }
  await refusal(environment, [first, second])
  expect((await fetchRefused(first.url)).code).toBe('ECONNREFUSED')
})

async function fetchRefused(url: string): Promise<{ code: string }> {
  const error: unknown = await fetch(url).catch((thrown: unknown) => thrown)
  return Object(Object(error).cause)
}

test('a busy port is refused before the start, with the process that listens', async () => {
  const environment = await makeEnvironment()
  const port = await listenPlainly()
  const role = { ...(await environment.served('verifier')), url: `https://127.0.0.1:${port}` }
  const { sentence, next } = await refusal(environment, [role])
  expect(sentence).toMatch(
    new RegExp(
      `^port ${port} is busy: .*\\(pid ${process.pid}\\) listens there, and verifier needs it$`,
    ),
  )
  expect(next).toBe(`stop it, or write \${port.verifier} for the port in my.target.yaml`)
})

/** What the server presents, the expected message, and the certificate; its passing twin is the first test. */
const DISTRUSTED = [
  ['an expired certificate', { from: -3, to: -2 }, 'shows an expired certificate'],
  [
    'a certificate that is not valid yet',
    { from: 1, to: 2 },
    'shows a certificate that is not valid yet',
  ],
  [
    'a certificate for another address',
    { ip: '127.0.0.9' },
    'shows a certificate for another name (its subject alternative names: IP Address:127.0.0.9)',
  ],
  [
    'a certificate for clients only',
    { usages: ['clientAuth'] },
    'shows a certificate without serverAuth',
  ],
] as const

test.each(DISTRUSTED)(
  'a server with %s is refused with a sentence',
  async (_, certificate, words) => {
    const environment = await makeEnvironment()
    const role = await environment.served('verifier', certificate)
    expect((await refusal(environment, [role])).sentence).toBe(`verifier at ${role.url} ${words}`)
  },
)

test('a server with a certificate of another CA is refused with a sentence', async () => {
  const environment = await makeEnvironment()
  const other = await makeCa(join(environment.directory, 'other'), 'Other CA')
  const role = await environment.served('verifier', {}, other)
  expect((await refusal(environment, [role])).sentence).toBe(
    `verifier at ${role.url} shows a certificate that the CA of the target file did not issue`,
  )
})

test('a server without TLS is refused with a sentence', async () => {
  const environment = await makeEnvironment()
  const role = await scripted(environment, [
    "import { createServer } from 'node:http'",
    "createServer((_, reply) => reply.end()).listen(process.argv[2], '127.0.0.1')",
  ])
  expect((await refusal(environment, [role])).sentence).toBe(
    `verifier at ${role.url} does not speak TLS`,
  )
})

test('a CA file that the deployment writes during its start is waited for', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const late = join(environment.run.path, 'ca.crt')
  const script = writeScript(environment.directory, 'late.mjs', [
    "import { copyFileSync, writeFileSync } from 'node:fs'",
    `setTimeout(() => writeFileSync('${late}', '-----BEGIN CERT'), 200)`,
    `setTimeout(() => copyFileSync('${environment.ca.file}', '${late}'), 500)`,
    "await import('./server.mjs')",
  ])
  const start = environment.start([process.execPath, script, ...role.start.command.slice(2)])
  const target = environment.target([{ ...role, start }])
  const deployment = await startDeployment(
    { ...target, tls: { ...target.tls, ca: late } },
    environment.run,
  )
  expect(deployment.steps).toMatchObject([{ ok: true }])
})

test('a CA file that the deployment replaces at the first connection is read again', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const old = await makeCa(environment.run.path, 'Old CA')
  const script = writeScript(environment.directory, 'renewing.mjs', [
    "import { copyFileSync, readFileSync } from 'node:fs'",
    "import { createServer } from 'node:https'",
    'const [port, cert, key] = process.argv.slice(2)',
    'const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) })',
    "server.on('request', (_, reply) => reply.end()).listen(port, '127.0.0.1')",
    `server.on('connection', () => copyFileSync('${environment.ca.file}', '${old.file}'))`,
  ])
  const start = environment.start([process.execPath, script, ...role.start.command.slice(2)])
  const target = environment.target([{ ...role, start }])
  const renewed = { ...target, tls: { ...target.tls, ca: old.file } }
  expect((await startDeployment(renewed, environment.run)).steps).toMatchObject([{ ok: true }])
})

test('a CA file that is never written is reported', async () => {
  const environment = await makeEnvironment()
  const role = await scripted(environment, ['setInterval(() => undefined, 1000)'], 300)
  const target = environment.target([role])
  const ca = join(environment.run.path, 'ca.crt')
  const starting = startDeployment({ ...target, tls: { ...target.tls, ca } }, environment.run)
  await expect(starting).rejects.toThrow(`the CA file ${ca} cannot be used (ENOENT)`)
})

test('closing the run directory ends a running deployment', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  await startDeployment(environment.target([role]), environment.run)
  const [pid = 0] = recordedPids(environment)
  await environment.run.close()
  expect(await ends(pid)).toBe(true)
})
