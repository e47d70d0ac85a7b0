import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Credential, makeAuthority, makeCertificate } from '../../../simulator/x509/factory.ts'
import { CLIENT_AUTH, SERVER_AUTH } from '../../../simulator/x509/recipes.ts'
import { HttpsClient } from '../https-client.ts'
import { ANONYMOUS, type Credentials, onOneConnection, withAuthorization } from '../identity.ts'
import { Transcript } from '../transcript.ts'
import { KeptConnections } from './kept-connections.ts'
import { SecureContexts } from './secure-contexts.ts'

/** A server that counts its connections, and clients of scenarios that share the connections of a run. */
async function startRun() {
  const issuer = await makeAuthority('test', Date.now())
  const certify = (commonName: string, usages: readonly string[]) =>
    makeCertificate({ commonName, usages, addresses: ['127.0.0.1'] }, issuer, Date.now())
  const { certificate: cert, key } = await certify('server', [SERVER_AUTH])
  const connections: Socket[] = []
  const server = createServer({ cert, key }, (_request, response) => response.end('{}'))
  server.keepAliveTimeout = 0
  server.on('secureConnection', (socket) => connections.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const contexts = new SecureContexts(issuer.certificate)
  const admin = credentialsOf('admin', await certify('admin', [CLIENT_AUTH]))
  const kept = new KeptConnections(contexts, [ANONYMOUS, admin])
  onTestFinished(() => {
    kept.close()
    server.closeAllConnections()
    server.close()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ connections, admin, kept },
    other: credentialsOf('other', await certify('other', [CLIENT_AUTH])),
    /** Asks once for each of these, as a scenario of its own would. */
    async ask(...all: readonly Credentials[]) {
      const transcript = new Transcript(() => performance.now())
      const signal = () => new AbortController().signal
      const pace = async () => undefined
      const client = new HttpsClient({
        contexts,
        kept,
        transcript,
        signal,
        pace,
        requestMs: 20_000,
      })
      for (const credentials of all)
        expect((await client.exchange({ method: 'GET', url, credentials })).status).toBe(200)
      client.close()
    },
  }
}

function credentialsOf(name: string, { certificate: cert, key }: Credential): Credentials {
  return { name, certificate: { cert, key, subject: `CN=${name}` } }
}

test("scenarios share the administrator's connections and the anonymous ones, and no connection is both", async () => {
  const { connections, admin, ask } = await startRun()
  for (const credentials of [admin, ANONYMOUS, admin, ANONYMOUS]) await ask(credentials)
  expect(connections).toHaveLength(2)
})

test('a scenario that uses a certificate of its own makes its own connection', async () => {
  const { connections, other, ask } = await startRun()
  for (const credentials of [other, other]) await ask(credentials)
  expect(connections).toHaveLength(2)
})

test('a scenario with a connection of its own has one for all headers, apart from the shared ones', async () => {
  const { connections, admin, ask } = await startRun()
  await ask(admin)
  const own = onOneConnection(admin)
  await ask(
    own,
    withAuthorization(own, 'Bearer one'),
    onOneConnection(withAuthorization(admin, 'Bearer two')),
  )
  expect(connections).toHaveLength(2)
  await ask(own)
  expect(connections).toHaveLength(3)
})

test('a connection that the server closed is not used again', async () => {
  const { connections, admin, kept, ask } = await startRun()
  await ask(admin)
  connections[0]?.destroy()
  await expect.poll(() => Object.keys(kept.of(admin)?.freeSockets ?? {})).toEqual([])
  await ask(admin)
  expect(connections).toHaveLength(2)
})

test('an unused connection is closed, although the server would keep it', async () => {
  const { connections, admin, ask } = await startRun()
  await ask(admin)
  await new Promise((resolve) => connections[0]?.once('close', resolve))
  await ask(admin)
  expect(connections).toHaveLength(2)
})
