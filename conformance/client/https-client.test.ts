import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { HttpsClient } from './https-client.ts'
import { ANONYMOUS } from './identity.ts'
import { SecureContexts } from './secure-contexts.ts'
import { Transcript } from './transcript.ts'

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** The URL of a server that reads each request and never answers. */
function silentServer(onRequest: () => void): Promise<string> {
  const server = createServer(onRequest)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

test('a request without an answer ends at its time limit, although garbage is collected meanwhile', async () => {
  const url = await silentServer(() => setTimeout(collectGarbage, 20))
  const client = new HttpsClient({
    contexts: new SecureContexts(''),
    transcript: new Transcript(() => performance.now()),
    signal: () => new AbortController().signal,
    requestMs: 200,
    pace: async () => undefined,
  })
  onTestFinished(() => client.close())
  const { status, failure } = await client.exchange({ method: 'GET', url, credentials: ANONYMOUS })
  expect({ status, failure }).toEqual({ status: undefined, failure: 'no answer in time' })
})
