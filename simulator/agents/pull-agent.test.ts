import { createHmac, createPublicKey, publicEncrypt } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import { expect, describe as group, onTestFinished, test } from 'vitest'
import {
  AGENT_ID,
  ask,
  machineWithoutTpm,
  NONCE,
  POLL,
  partsOf,
  started,
} from '../testing/polled-agent.ts'
import { parseAttest } from '../tpm/attest.ts'
import { digest } from '../tpm/hash.ts'
import { parsePcrBlob } from '../tpm/pcr-blob.ts'
import { cat, filled, text } from '../tpm/write.ts'

group('an honest agent', () => {
  test('quotes the requested PCRs and PCR 16, over the text of the nonce', async () => {
    const answer = await ask(await started(), POLL)
    const [message = filled(0), , blob = filled(0)] = partsOf(answer)
    const { extraData, attested } = parseAttest(message)
    expect(Buffer.from(extraData).toString()).toBe(NONCE)
    expect(attested.kind === 'quote' && attested.pcrSelect[0]?.pcrs).toEqual([10, 16])
    expect(parsePcrBlob(blob).values).toHaveLength(2)
    expect(answer.results).toMatchObject({
      hash_alg: 'sha256',
      enc_alg: 'ecc256',
      sign_alg: 'ecdsa',
    })
  })

  test('holds the digest of its public key in PCR 16', async () => {
    const answer = await ask(await started(), POLL)
    const [, , blob = filled(0)] = partsOf(answer)
    const measured = digest('sha256', text(String(answer.results['pubkey'])))
    expect(parsePcrBlob(blob).values[1]).toEqual(digest('sha256', cat(filled(32), measured)))
  })

  test('returns a log for its PCR, from the requested line', async () => {
    const agent = await started()
    const none = await ask(agent, POLL.replace('0x400', '0x2'))
    const all = await ask(agent, POLL.replace('0x400', '0x401'))
    const part = await ask(agent, POLL.replace('entry=0', 'entry=10'))
    expect(Object.keys(none.results)).not.toContain('ima_measurement_list')
    expect(Object.keys(all.results)).toContain('mb_measurement_list')
    expect(String(all.results['ima_measurement_list'])).toHaveLength(
      Buffer.from(machineOfBoot.ima.ascii(0)).toString().length,
    )
    expect(part.results['ima_measurement_list_entry']).toBe(10)
    const list = Buffer.from(machineOfBoot.ima.ascii()).toString()
    expect(part.results['ima_measurement_list']).toBe(list.split('\n').slice(10).join('\n'))
  })

  test('returns its boot time, unless configured not to', async () => {
    const silent = await started({ sendsBoottime: false })
    expect((await ask(silent, POLL)).results).not.toHaveProperty('boottime')
    const { boottime } = (await ask(await started(), POLL)).results
    expect(Number.isInteger(boottime)).toBe(true)
  })

  test('omits the key from a partial answer, and writes the names of a version', async () => {
    const agent = await started()
    expect((await ask(agent, POLL.replace('partial=0', 'partial=1'))).results).not.toHaveProperty(
      'pubkey',
    )
    expect((await ask(agent, POLL.replace('v2.5', 'v2.4'))).results['enc_alg']).toBe('ecc')
  })

  test('refuses an unsupported version and lists the supported ones', async () => {
    const agent = await started()
    const refused = await ask(agent, POLL.replace('v2.5', 'v2.3'))
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('API version not supported'),
    ])
    expect((await ask(agent, '/version')).results['supported_versions']).toEqual([
      '2.1',
      '2.4',
      '2.5',
    ])
  })

  test('derives K from V and U in either order', async () => {
    const agent = await started()
    const { pubkey } = (await ask(agent, '/v2.5/keys/pubkey')).results
    const [v, u] = [filled(32, 5), filled(32, 6)]
    const wrap = (key: Uint8Array) => wrapKey(String(pubkey), key)
    const tag = createHmac('sha384', filled(32, 3)).update(AGENT_ID).digest('hex')
    const ukey = { encrypted_key: wrap(u), auth_tag: tag }
    expect((await ask(agent, '/v2.5/keys/ukey', { method: 'POST', body: ukey })).status).toBe(200)
    expect((await ask(agent, '/v2.5/keys/verify?challenge=abc')).status).toBe(400)
    const vkey = { encrypted_key: wrap(v) }
    expect((await ask(agent, '/v2.5/keys/vkey', { method: 'POST', body: vkey })).status).toBe(200)
    const { hmac } = (await ask(agent, '/v2.5/keys/verify?challenge=abc')).results
    expect(hmac).toBe(createHmac('sha384', filled(32, 3)).update('abc').digest('hex'))
    expect(agent.keys.v).toEqual(v)
  })

  test('refuses a client without a certificate of the CA', async () => {
    await expect(ask(await started(), POLL, { isAnonymous: true })).rejects.toThrow()
    const lenient = await started({ clients: 'asked' })
    expect((await ask(lenient, POLL, { isAnonymous: true })).status).toBe(200)
    expect(lenient.requests[0]).toMatchObject({ authorized: false, certificate: undefined })
  })

  test('records client, operation, time and connection of each request', async () => {
    let now = 1000
    const agent = await started({ now: () => now++ })
    const kept = new Agent({ keepAlive: true })
    onTestFinished(() => kept.destroy())
    await ask(agent, POLL, { agent: kept })
    await ask(agent, POLL, { agent: kept })
    expect(
      agent.requests.map(({ poll, connection, query }) => [poll, connection, query['nonce']]),
    ).toEqual([
      [1, 1, NONCE],
      [2, 1, NONCE],
    ])
    expect(agent.requests.every(({ authorized }) => authorized)).toBe(true)
    expect(agent.requests[1]?.at).toBeGreaterThan(agent.requests[0]?.at ?? 0)
  })

  test('records bytes that are no HTTP, and answers them with 400', async () => {
    const agent = await started({ clients: 'plain' })
    const socket = connect(agent.port, agent.host)
    const answer = once(socket.setEncoding('latin1'), 'data')
    socket.write('GET /v2.5/keys/pubkey HTTP/1.1\r\nno colon\r\n\r\n')
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 400 /)
    const target = 'GET /v2.5/keys/pubkey HTTP/1.1'
    expect(agent.requests).toMatchObject([{ method: '', target, poll: undefined, connection: 1 }])
    expect(agent.polls).toBe(0)
  })
})

const machineOfBoot = await machineWithoutTpm()

function wrapKey(pem: string, key: Uint8Array): string {
  const options = { key: createPublicKey(pem), oaepHash: 'sha1' }
  return publicEncrypt(options, key).toString('base64')
}
