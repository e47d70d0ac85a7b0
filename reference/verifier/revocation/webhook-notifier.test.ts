import { syncBuiltinESMExports } from 'node:module'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { jsonClient } from '../../http-client/json-client.ts'
import { webhookNotifier } from './webhook-notifier.ts'

const NOTICE = { msg: '{"type":"revocation"}', signature: 'AAAA' }
const NEVER = new AbortController().signal

/** A webhook with scripted answers; returns the notices that it received. */
function webhookOf(...answers: readonly (() => Response)[]): readonly unknown[] {
  const received: unknown[] = []
  const server = setupServer(
    http.post('http://127.0.0.1:9/revoked', async ({ request }) => {
      received.push({ type: request.headers.get('content-type'), body: await request.json() })
      return (answers[received.length - 1] ?? HttpResponse.error)()
    }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  // Modules that were imported already must use msw from here on, and the real functions afterwards.
  syncBuiltinESMExports()
  onTestFinished(() => {
    server.close()
    syncBuiltinESMExports()
  })
  return received
}

function notify({ tries, signal = NEVER }: { tries: number; signal?: AbortSignal }): Promise<void> {
  const limits = { timeoutMs: 10_000, maxBytes: 1000 }
  const client = jsonClient({ host: '127.0.0.1', port: 9, ...limits })
  const waitBefore = (tried: number) => (tried < tries ? 0 : undefined)
  const notifier = webhookNotifier({ client, path: '/revoked', waitBefore })
  onTestFinished(() => notifier.close())
  return notifier.notify(NOTICE, agentRow(), signal)
}

const answered = (status: number) => () => new HttpResponse(null, { status })

test('a webhook gets JSON, and only once if it accepts the message', async () => {
  const received = webhookOf(answered(200), answered(200))
  await notify({ tries: 3 })
  expect(received).toEqual([{ type: 'application/json', body: NOTICE }])
})

test('a webhook whose connection breaks is notified again', async () => {
  const received = webhookOf(HttpResponse.error, answered(202))
  await notify({ tries: 3 })
  expect(received).toHaveLength(2)
})

test('a webhook whose connection always breaks is given up, and that is the reason', async () => {
  const received = webhookOf()
  await expect(notify({ tries: 3 })).rejects.toThrow('the webhook gives no answer')
  expect(received).toHaveLength(3)
})

test('a webhook that sends elsewhere is not followed', async () => {
  const received = webhookOf(() => HttpResponse.redirect('http://127.0.0.1:9/elsewhere', 307))
  await expect(notify({ tries: 1 })).rejects.toThrow('the webhook answers 307')
  expect(received).toHaveLength(1)
})

test('a verifier that stops does not retry a webhook', async () => {
  const received = webhookOf(answered(503), answered(200))
  await expect(notify({ tries: 3, signal: AbortSignal.abort() })).rejects.toThrow('answers 503')
  expect(received).toHaveLength(1)
})
