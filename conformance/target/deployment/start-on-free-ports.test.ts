import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadTarget } from '../load-target.ts'
import { freePorts } from '../processes/free-port.ts'
import { makeEnvironment } from '../testing/test-deployment.ts'
import { writeScript, writeServer } from '../testing/test-support.ts'
import { startOnFreePorts } from './start-on-free-ports.ts'

const CHOSEN = `\${port.verifier}`

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/**
 * A target whose verifier is a real server; `port` is the port in the file, `proposed` the free ports that are found,
 * in order.
 */
async function readTarget(port: string, proposed: readonly number[] = [], lost = 0) {
  const environment = await makeEnvironment()
  const shown = await environment.ca.issue('verifier', {})
  const server = writeServer(environment.directory)
  const script = writeScript(environment.directory, 'late.mjs', [
    `if (process.argv[2] === '${lost}') { console.error('bind: Address already in use'); process.exit(1) }`,
    `await import(${JSON.stringify(server)})`,
  ])
  const command = [process.execPath, script, port]
  const role = {
    url: `https://127.0.0.1:${port}`,
    start: { command: [...command, shown.certificate, shown.key] },
  }
  const file = join(environment.directory, 'some.target.yaml')
  const { tls } = environment.target([])
  const document = { name: 'x', versions: ['3.0'], roles: { verifier: role } }
  const files = { ca: tls.ca, admin: { certificate: tls.admin.certificate, key: tls.admin.key } }
  writeFileSync(file, JSON.stringify({ ...document, tls: files }))
  const left = [...proposed]
  const pickPorts = async () => [left.shift() ?? 0]
  const surroundings = { run: environment.run.path, ekCa: '/ek', env: {}, pickPorts }
  const read = await loadTarget(file, surroundings)
  return { start: () => startOnFreePorts(read, surroundings, environment.run), left }
}

test('a port that another process has taken is chosen again', async () => {
  const [free = 0] = await freePorts(1)
  const { start } = await readTarget(CHOSEN, [await takenPort(), free])
  const { target, deployment } = await start()
  expect(target.roles).toMatchObject([{ url: `https://127.0.0.1:${free}` }])
  expect(deployment.died()).toBeUndefined()
})

test('after a role exits because its port is in use, the port is chosen again', async () => {
  const [lost = 0, free = 0] = await freePorts(2)
  const { start } = await readTarget(CHOSEN, [lost, free], lost)
  expect((await start()).target.roles).toMatchObject([{ url: `https://127.0.0.1:${free}` }])
})

test('three times in all', async () => {
  const taken = [await takenPort(), await takenPort(), await takenPort()]
  const { start, left } = await readTarget(CHOSEN, [...taken, 1])
  await expect(start()).rejects.toMatchObject({ code: 'D-PORT-BUSY' })
  expect(left).toEqual([1])
})

test('a fixed port of the target file is not chosen again', async () => {
  const { start } = await readTarget(String(await takenPort()))
  await expect(start()).rejects.toMatchObject({ code: 'D-PORT-BUSY' })
})
