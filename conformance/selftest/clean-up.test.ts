import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { SecureContexts } from '../client/tls/secure-contexts.ts'
import type { RunEnvironment } from '../runner/run-environment.ts'
import { runScenario } from '../runner/run-scenario.ts'
import type { Scenario } from '../scenario.ts'
import { makeCa, temporaryDirectory } from '../target/testing/test-support.ts'
import { ENVIRONMENT } from './outcomes/five-outcomes.ts'

/** Ways in which a scenario ends after it has created an agent. */
const ENDS: readonly [string, Partial<RunEnvironment>, Scenario['run']][] = [
  ['passes', {}, async ({ check }) => void check('REQ', 'one').of(1).is(1)],
  ['fails', {}, async ({ check }) => void check('REQ', 'one').of(1).is(2)],
  ['throws', {}, () => Promise.reject(new TypeError('a slip'))],
  ['hangs', { scenarioMs: 50 }, ({ verifier }) => verifier.get('/never').then(() => undefined)],
]

test.each(ENDS)('the clean-up of a scenario runs when it %s', async (_how, limits, end) => {
  const { url, ca, deleted } = await serve()
  const scenario: Scenario = {
    id: 'a',
    title: 'a',
    requirements: ['REQ'],
    role: 'verifier',
    since: '3.0',
    run: async (context) => {
      context.cleanUp(() => context.verifier.get('/made', { method: 'DELETE' }))
      await end(context)
    },
  }
  const environment = {
    ...ENVIRONMENT,
    ...limits,
    contexts: new SecureContexts(ca),
    urls: { registrar: url, verifier: url, plainRegistrar: undefined, provider: undefined },
  }
  await runScenario(environment, { scenario, version: '3.0' }, 's')
  expect(deleted()).toEqual(['/made'])
})

test.each([
  ['is gone after its deletion', 200, ['DELETE']],
  ['may stay after its deletion', 202, ['DELETE', 'PUT', 'DELETE']],
])('an agent that %s is removed', async (_how, status, methods) => {
  const { url, ca, asked } = await serve(status)
  const scenario: Scenario = {
    ...{ id: 'a', title: 'a', requirements: ['REQ'], role: 'verifier', since: '2.5' },
    run: async ({ verifier }) => verifier.removeAgent('a55af022-0000-4000-8000-000000000000'),
  }
  const environment = {
    ...{ ...ENVIRONMENT, versions: ['2.5'], contexts: new SecureContexts(ca) },
    urls: { registrar: url, verifier: url, plainRegistrar: undefined, provider: undefined },
  }
  await runScenario(environment, { scenario, version: '2.5' }, 's')
  expect(asked()).toEqual(methods)
})

/** Records requests, and never answers `/never`. */
async function serve(status = 200) {
  const directory = temporaryDirectory()
  const ca = await makeCa(directory)
  const files = await ca.issue('server', { usages: ['serverAuth'] })
  const received: { readonly method: string; readonly url: string }[] = []
  const key = { cert: readFileSync(files.certificate), key: readFileSync(files.key) }
  const server = createServer(key, ({ method = '', url = '' }, reply) => {
    received.push({ method, url })
    if (url !== '/never') reply.writeHead(status).end('{}')
  })
  onTestFinished(() => server.closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const text = readFileSync(ca.file, 'utf8')
  return {
    url: `https://127.0.0.1:${port}`,
    ca: text,
    asked: () => received.map(({ method }) => method),
    deleted: () => received.filter(({ method }) => method === 'DELETE').map(({ url }) => url),
  }
}
