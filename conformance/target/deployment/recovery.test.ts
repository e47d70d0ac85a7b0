import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { DEFAULT_TIMES } from '../limits.ts'
import { freePorts } from '../processes/free-port.ts'
import { makeEnvironment } from '../testing/test-deployment.ts'
import { startDeployment } from './deployment.ts'
import { recoveryOf } from './recovery.ts'

const LONG = { ...DEFAULT_TIMES, recoveryWithinMs: 60_000 }
const SHORT = { ...DEFAULT_TIMES, recoveryWithinMs: 50 }

test('recovery waits for a server that answers again', async () => {
  const { target, served, run } = await makeEnvironment()
  const deployed = target([await served('verifier')], { time: LONG })
  const recovered = recoveryOf(deployed)()
  await startDeployment(deployed, run)
  await expect(recovered).resolves.toBeUndefined()
})

test('recovery waits only once for a server that never answers again', async () => {
  const { target } = await makeEnvironment()
  const [port = 0] = await freePorts(1)
  const gone = { role: 'verifier', url: `https://127.0.0.1:${port}` } as const
  const recovered = recoveryOf(target([gone], { time: SHORT }))
  await recovered()
  let connections = 0
  const server = createServer(() => connections++).listen(port, '127.0.0.1')
  await recovered()
  expect(connections).toBe(0)
  server.close()
})
