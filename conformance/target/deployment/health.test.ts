import { expect, test } from 'vitest'
import { deferred } from '../../attempt/deferred.ts'
import { freePorts } from '../processes/free-port.ts'
import { makeEnvironment } from '../testing/test-deployment.ts'
import { startDeployment } from './deployment.ts'
import { watchHealth } from './health.ts'

const ALIVE = { whenDied: new Promise<never>(() => undefined) }

test('a subject whose process ends has died, with the reason and its last output', async () => {
  const { target, served, run } = await makeEnvironment()
  const deployed = target([await served('verifier')])
  const deployment = await startDeployment(deployed, run)
  const { died, death } = watchHealth(deployed, deployment)
  expect(died.aborted).toBe(false)
  const isDead = deferred<void>()
  died.addEventListener('abort', () => isDead.resolve(undefined))
  process.kill(deployment.pids.verifier ?? 0, 'SIGKILL')
  await isDead.promise
  expect(death()).toEqual({
    role: 'verifier',
    says: 'verifier was ended by SIGKILL during the run: it wrote nothing',
  })
})

test('a subject that Assay restarts or stops has not died', async () => {
  const { target, served, run } = await makeEnvironment()
  const deployed = target([await served('verifier')])
  const deployment = await startDeployment(deployed, run)
  const health = watchHealth(deployed, deployment)
  await deployment.restart('verifier')
  await health.suspect()
  await deployment.stop()
  expect(health.died.aborted).toBe(false)
})

test('a subject that refuses every connection has died', async () => {
  const { target } = await makeEnvironment()
  const [port = 0] = await freePorts(1)
  const gone = { role: 'verifier', url: `https://127.0.0.1:${port}` } as const
  const { died, death, suspect } = watchHealth(target([gone]), ALIVE, 50)
  await suspect()
  expect(died.aborted).toBe(true)
  expect(death()?.says).toBe(
    `verifier at https://127.0.0.1:${port} has refused every connection for 50 ms`,
  )
})
