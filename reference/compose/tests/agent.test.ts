import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { composedAgent } from '../../dev/testing/composed-agent.ts'
import { converse } from '../../dev/testing/listening.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { parsePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { parseQuoteString } from '../../evidence/quote/quote-string.ts'
import { TPMS_ATTEST } from '../../tpm/attest.ts'
import { decode } from '../../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../../tpm/public.ts'
import { publicKeyOf } from '../../tpm/public-key.ts'
import { TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { verifySignature } from '../../tpm/verify-signature.ts'
import { SHIPPED_PARTS } from '../parts.ts'

const NONCE = 'Ab3dEfGh1jKlMnOpQrSt'

/** Quoted PCRs and the quote's own fields, once its signature holds under the registered key. */
function readQuote(text: unknown, aik: unknown, form: 'plain' | 'zlib' = 'plain') {
  const { message, signature, pcrBlob } = parseQuoteString(String(text), form)
  const key = publicKeyOf(decode(TPM2B_PUBLIC, fromBase64(String(aik))).contents)
  expect(verifySignature(key, decode(TPMT_SIGNATURE, signature), message)).toEqual({ ok: true })
  const [bank] = parsePcrBlob(pcrBlob)
  return {
    attest: decode(TPMS_ATTEST, message),
    pcrs: bank?.values ?? new Map<number, Uint8Array>(),
  }
}

test('an agent is registered and active before it listens, with its certificate', async () => {
  const agent = await composedAgent(['contact_ip=127.0.0.2'])
  const record = await agent.registration()
  expect(record).toMatchObject({ ip: '127.0.0.2', port: agent.port, regcount: 1 })
  const { subject, subjectAltName, keyUsage } = new X509Certificate(String(record['mtls_cert']))
  expect(subject).toBe(`CN=${agent.uuid}`)
  expect(subjectAltName).toContain('IP Address:127.0.0.2')
  expect(keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
})

test('an identity quote is over PCR 16 alone, which is of the key that it shows', async () => {
  const agent = await composedAgent()
  const { body } = await agent.ask(`/v2.5/quotes/identity?nonce=${NONCE}`)
  const { aik_tpm } = await agent.registration()
  const { attest, pcrs } = readQuote(body.results['quote'], aik_tpm)
  expect(Buffer.from(attest.extraData).toString()).toBe(NONCE)
  const digest = createHash('sha256').update(String(body.results['pubkey'])).digest()
  const value = createHash('sha256').update(Buffer.alloc(32)).update(digest).digest('hex')
  expect([...pcrs].map(([pcr, bytes]) => [pcr, Buffer.from(bytes).toString('hex')])).toEqual([
    [16, value],
  ])
  const { results } = (await agent.ask('/v2.5/keys/pubkey')).body
  expect(results['pubkey']).toBe(body.results['pubkey'])
  expect(createPublicKey(String(results['pubkey'])).asymmetricKeyDetails?.modulusLength).toBe(2048)
})

test('an integrity quote is over the PCRs of its mask, and goes with the logs that it asks for', async () => {
  const directory = temporaryDirectory()
  const list = join(directory, 'list')
  writeFileSync(list, '10 a ima-ng sha256:b /c\n10 d ima-ng sha256:e /f\n')
  writeFileSync(join(directory, 'log'), 'a log')
  const agent = await composedAgent([
    `ima_ml_path=${list}`,
    `measuredboot_ml_path=${join(directory, 'log')}`,
  ])
  const quote = async (query: string) =>
    (await agent.ask(`/v2.5/quotes/integrity?nonce=${NONCE}&${query}`)).body.results
  const { aik_tpm } = await agent.registration()

  const whole = await quote('mask=0x401&partial=0')
  expect([...readQuote(whole['quote'], aik_tpm).pcrs.keys()]).toEqual([0, 10, 16])
  expect(whole).toMatchObject({
    ...{ hash_alg: 'sha256', enc_alg: 'ecc256', sign_alg: 'ecdsa' },
    ima_measurement_list: '10 a ima-ng sha256:b /c\n10 d ima-ng sha256:e /f\n',
    ima_measurement_list_entry: 0,
    mb_measurement_list: toBase64(Buffer.from('a log')),
    boottime: expect.any(Number),
    pubkey: expect.any(String),
  })
  appendFileSync(list, '10 g ima-ng sha256:h /i\n')
  expect(await quote('mask=400&partial=1&ima_ml_entry=2')).toMatchObject({
    ima_measurement_list: '10 g ima-ng sha256:h /i\n',
    ima_measurement_list_entry: 2,
  })
  expect(Object.keys(await quote('mask=ffbfe&partial=1'))).toEqual([
    ...['quote', 'hash_alg', 'enc_alg', 'sign_alg', 'boottime'],
  ])
})

test('a list with a name that is not UTF-8 is refused with the reason, and what follows it is sent', async () => {
  const list = join(temporaryDirectory(), 'list')
  writeFileSync(
    list,
    Buffer.from('10 a ima-ng sha256:b /\u{ff}\n10 d ima-ng sha256:e /f\n', 'latin1'),
  )
  const agent = await composedAgent([`ima_ml_path=${list}`])
  const from = (entry: number) =>
    agent.ask(`/v2.5/quotes/integrity?nonce=${NONCE}&mask=400&partial=1&ima_ml_entry=${entry}`)
  expect(await from(0)).toMatchObject({
    status: 500,
    body: { status: expect.stringMatching(/the measurement list is not in UTF-8/) },
  })
  const { results } = (await from(1)).body
  expect(results['ima_measurement_list']).toBe('10 d ima-ng sha256:e /f\n')
})

test('all 24 PCRs fit one quote, and on a machine without logs their members are left out', async () => {
  const agent = await composedAgent()
  const path = `/v2.5/quotes/integrity?nonce=${NONCE}&mask=ffffff&partial=1`
  const { results } = (await agent.ask(path)).body
  const { aik_tpm } = await agent.registration()
  expect(readQuote(results['quote'], aik_tpm).pcrs.size).toBe(24)
  expect(results).not.toHaveProperty('ima_measurement_list')
  expect(results).not.toHaveProperty('mb_measurement_list')
})

test('while the TPM is away there is no quote, and when it is back there is', async () => {
  const agent = await composedAgent()
  const path = `/v2.5/quotes/identity?nonce=${NONCE}`
  await agent.tpm.stop()
  expect(await agent.ask(path)).toMatchObject({
    status: 500,
    body: { status: 'There is no quote: the TPM does not serve.', results: {} },
  })
  expect((await agent.ask('/v2.5/agent/info')).status).toBe(200)
  await agent.tpm.reset()
  const { aik_tpm } = await agent.registration()
  const { status, body } = await agent.ask(path)
  expect(status).toBe(200)
  expect([...readQuote(body.results['quote'], aik_tpm).pcrs.keys()]).toEqual([16])
})

const REFUSED = {
  'no nonce': 'mask=1&partial=0',
  'an empty nonce': 'nonce=&mask=1&partial=0',
  'two nonces': `nonce=${NONCE}&nonce=${NONCE}&mask=1&partial=0`,
  'no mask': `nonce=${NONCE}&partial=0`,
  'a mask of PCR 24': `nonce=${NONCE}&mask=1000000&partial=0`,
  'no partial': `nonce=${NONCE}&mask=1`,
}

test('a query that lacks something is refused with 400, and the same with it is answered', async () => {
  const agent = await composedAgent()
  const statusOf = async (query: string) =>
    (await agent.ask(`/v2.5/quotes/integrity?${query}`)).status
  for (const [what, query] of Object.entries(REFUSED)) expect(await statusOf(query), what).toBe(400)
  expect(await statusOf(`nonce=${NONCE}&mask=1&partial=0`)).toBe(200)
})

test('each version has its own names of algorithms, and info is there from 2.2 on', async () => {
  const agent = await composedAgent()
  const info = async (version: string) => (await agent.ask(`/${version}/agent/info`)).body.results
  expect(await info('v2.4')).toMatchObject({ agent_uuid: agent.uuid, tpm_enc_alg: 'ecc' })
  expect(await info('v2.5')).toMatchObject({ tpm_enc_alg: 'ecc256', ak_handle: expect.any(String) })
  expect((await agent.ask('/v2.1/agent/info')).status).toBe(404)
})

test.each([
  [[], 'zlib'],
  [['zlib_quotes=False'], 'plain'],
] as const)('with %j quotes of 1.0 are %s, and those of 2.0 plain', async (settings, form) => {
  const agent = await composedAgent(settings)
  const { aik_tpm } = await agent.registration()
  const quote = async (version: string) =>
    (await agent.ask(`/${version}/quotes/integrity?nonce=${NONCE}&mask=1&vmask=0&partial=1`)).body
      .results['quote']
  expect(readQuote(await quote('v1'), aik_tpm, form).pcrs.size).toBe(2)
  expect(readQuote(await quote('v2.0'), aik_tpm).pcrs.size).toBe(2)
})

test('listed versions are served, and another version gets the error on which verifiers renegotiate', async () => {
  const agent = await composedAgent(['api_versions=2.2,2.4'])
  const { body } = await agent.ask('/version')
  expect(body.results).toEqual({ supported_version: '2.4' })
  expect((await agent.ask('/v2.4/keys/pubkey')).status).toBe(200)
  expect(await agent.ask('/v2.5/keys/pubkey')).toMatchObject({
    status: 400,
    body: { status: 'API version not supported: v2.5' },
  })
  expect((await agent.ask('/v2.4/keys/nothing')).status).toBe(404)
})

test('2.6 is served where the setting names it', async () => {
  const agent = await composedAgent(['api_versions=2.5,2.6'])
  expect((await agent.ask('/version')).body.results).toEqual({
    supported_version: '2.6',
    supported_versions: ['2.5', '2.6'],
  })
  expect((await agent.ask('/v2.6/agent/info')).status).toBe(200)
})

test('without a client certificate nothing is reached, not even /version', async () => {
  const { port } = await composedAgent()
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  const said: string[] = []
  socket.on('data', (chunk) => said.push(String(chunk)))
  socket.write('GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const { code } = await new Promise<NodeJS.ErrnoException>((resolve) => {
    socket
      .once('error', resolve)
      .once('close', () => resolve(Object.assign(new Error(), { code: 'closed' })))
  })
  expect(said).toEqual([])
  expect(code).toMatch(/CERTIFICATE_REQUIRED|ECONNRESET|closed/)
})

test('a stranger who gets through the handshake is refused all the same', async () => {
  const { port } = await composedAgent([], {
    ...SHIPPED_PARTS,
    agentDoor: { ...SHIPPED_PARTS.agentDoor, refusesStrangers: false },
  })
  const said = await converse(port, [
    'GET /version HTTP/1.1',
    'Host: a',
    'Connection: close',
    '',
    '',
  ])
  expect(said).toMatch(/^HTTP\/1\.1 403 /)
})
