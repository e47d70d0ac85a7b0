import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { VERIFIER } from '../../dev/testing/pull-agent.ts'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { authority, tlsOf } from '../../dev/testing/test-server.ts'
import { pullRules } from '../pull/pull-rules.ts'
import { loadNotifiers } from './load-notifiers.ts'

const NOTICE = { msg: '{"type":"revocation"}', signature: 'AAAA' }
const NEVER = new AbortController().signal
const { certificate: cert, key, ca } = await tlsOf(authority)

/** The notifiers that some settings name. */
function notifiers(...settings: readonly string[]) {
  const config = loadConfig('verifier', undefined, settings)
  return loadNotifiers({
    ...{ config, identity: VERIFIER, now: Date.now(), ...pullRules, retryWait: () => 0 },
    agents: {
      ...{ store: { agents: {} as never }, log: { info() {}, warn() {}, error() {} } },
      ...{ agents: async () => [], versionOf: () => '', ask: () => Promise.reject(new Error()) },
    },
  })
}

/** A receiver that answers with these statuses, the last of them from then on. */
async function receiver(...statuses: readonly number[]) {
  const seen: { body: unknown; client: string | undefined; url: string | undefined }[] = []
  const options = { cert, key, ca, requestCert: true, rejectUnauthorized: false }
  const server = createServer(options, async (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    seen.push({ body: JSON.parse(await text(request)), client: subject?.CN, url: request.url })
    response.writeHead(statuses[seen.length - 1] ?? statuses.at(-1) ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const file = join(temporaryDirectory(), 'ca.pem')
  writeFileSync(file, ca)
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`
  const names = 'enabled_revocation_notifications=webhook'
  const [notifier] = await notifiers(names, `webhook_url=${url}`, `webhook_ca=${file}`)
  onTestFinished(() => notifier?.close())
  return { seen, notify: async () => notifier?.notify(NOTICE, agentRow(), NEVER) }
}

test('agents are notified unless the settings say otherwise', async () => {
  expect((await notifiers()).map(({ name }) => name)).toEqual(['agent'])
  expect(await notifiers('enabled_revocation_notifications=none')).toEqual([])
})

test.each([200, 202])('a webhook that answers %i has taken the message', async (status) => {
  const { seen, notify } = await receiver(status)
  await notify()
  expect(seen).toEqual([{ body: NOTICE, client: 'verifier', url: '/hook?a=1' }])
})

test('a busy webhook is notified again', async () => {
  const { seen, notify } = await receiver(503, 500, 200)
  await notify()
  expect(seen.map(({ body }) => body)).toEqual([NOTICE, NOTICE, NOTICE])
})

test('a webhook that never accepts is given up, and the error has its last answer', async () => {
  const { seen, notify } = await receiver(404)
  await expect(notify()).rejects.toThrow('the webhook answers 404')
  expect(seen).toHaveLength(6)
})

test.each([
  ['enabled_revocation_notifications=pigeon', 'there is no revocation notification called pigeon'],
  ['enabled_revocation_notifications=webhook', 'has no URL of https or http'],
])('%s is refused at the start', async (setting, sentence) => {
  await expect(async () => notifiers(setting)).rejects.toMatchObject({
    sentence: expect.stringContaining(sentence),
  })
})
