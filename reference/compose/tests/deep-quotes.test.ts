import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { asking, type Composed, composed } from '../../dev/testing/composed.ts'
import { sha256 } from '../../dev/testing/deep-quotes.ts'
import { freePort } from '../../dev/testing/free-port.ts'
import { ApiError } from '../../errors.ts'
import { parseDeepQuoteString } from '../../evidence/deep-quote/deep-quote-string.ts'
import { TPMS_ATTEST } from '../../tpm/attest.ts'
import { decode } from '../../tpm/codec.ts'
import { startSwtpm } from '../../tpm/testing/swtpm.ts'
import { tpmTool } from '../../tpm/testing/tpm-tools.ts'
import { composeAgent } from '../compose-agent.ts'
import { composeRegistrar } from '../compose-registrar.ts'
import { type Parts, SHIPPED_PARTS } from '../parts.ts'

const UUID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const NONCE = 'Ab3dEfGh1jKlMnOpQrSt'
const SOON = { timeout: 120_000, interval: 50 }
const GET_QUOTE = 3
const INVALID_QUOTE = 9

type Results = Readonly<Record<string, unknown>>
const resultsOf = ({ body }: { readonly body: unknown }) =>
  (body as { readonly results: Results }).results

/** Parts of a registrar at which only a deep quote activates. */
const WITHOUT_TAGS: Parts = {
  ...SHIPPED_PARTS,
  registrarOperations: (parts, served) => ({
    ...SHIPPED_PARTS.registrarOperations(parts, served),
    'activate-agent': () => Promise.reject(new ApiError('not_authorized', 'not by a tag')),
  }),
}

/** A guest on a host: PCR 7 of either TPM holds another value. Both are registered, the host at the provider's. */
async function scene(version: '1.0' | '2.0') {
  const providerPort = await freePort()
  const provider = [
    ...['provider_registrar_ip=127.0.0.1', `provider_registrar_port=${providerPort}`],
  ]
  const both = await composed(provider, WITHOUT_TAGS)
  await startProvider(both, providerPort)
  const [guest, host] = [await startSwtpm(), await startSwtpm()]
  for (const [tpm, byte] of [
    [guest, '11'],
    [host, '22'],
  ] as const)
    tpmTool('pcrextend', [`7:sha256=${byte.repeat(32)}`], tpm.tcti)
  const port = await freePort()
  const config = loadConfig('agent', undefined, [
    ...['log_level=silent', `state_dir=${both.state_dir}`, `port=${port}`, `uuid=${UUID}`],
    ...[`registrar_port=${both.portOf('registrar')}`, `registrar_api_versions=${version}`],
    ...['tpm_encryption_alg=ecc', 'tpm_signing_alg=ecdsa', `tcti=${guest.tcti}`],
    ...['ima_ml_path=/nowhere', 'measuredboot_ml_path=/nowhere', `host_tpm=${host.tcti}`],
    ...provider,
  ])
  const agent = await composeAgent(config, SHIPPED_PARTS)
  onTestFinished(() => agent.close())
  await agent.server.listen({ host: '127.0.0.1', port })
  const atProvider = asking(join(both.state_dir, 'cv_ca'), providerPort)
  return { ...both, port, version, atProvider }
}

async function startProvider({ state_dir }: Composed, port: number): Promise<void> {
  const settings = ['log_level=silent', `state_dir=${state_dir}`, 'database=provider.sqlite']
  const provider = await composeRegistrar(
    loadConfig('registrar', undefined, settings),
    SHIPPED_PARTS,
  )
  onTestFinished(() => provider.close())
  await provider.server.listen({ host: '127.0.0.1', port })
}

type Scene = Awaited<ReturnType<typeof scene>>

/** `results` of the agent, asked as the verifier asks. */
async function askAgent({ state_dir, port }: Scene, path: string): Promise<Results> {
  const read = (...names: string[]) => readFileSync(join(state_dir, ...names))
  const asked = request({
    ...{ host: '127.0.0.1', port, path, agent: false },
    ca: read('agent', 'server-cert.crt'),
    cert: read('cv_ca', 'client-cert.crt'),
    key: read('cv_ca', 'client-private.pem'),
  })
  asked.end()
  const [reply] = await once(asked, 'response')
  return resultsOf({ body: JSON.parse(await text(reply)) })
}

/** PCR 7 after the extension with that byte. */
const pcr7 = (byte: number) =>
  Buffer.from(sha256(new Uint8Array(32), new Uint8Array(32).fill(byte))).toString('hex')
const policy = (byte: number) => JSON.stringify({ 7: [pcr7(byte)], mask: '0x80' })

async function enrol(life: Scene, policies: object): Promise<void> {
  const path = `/v${life.version}/agents/${UUID}`
  const record = resultsOf(await life.ask('registrar', path, { admin: true }))
  const mtls_cert = readFileSync(join(life.state_dir, 'agent', 'server-cert.crt'), 'utf8')
  const body = {
    ...{ ak_tpm: record['aik_tpm'], mtls_cert, supported_version: life.version },
    ...{ cloudagent_ip: '127.0.0.1', cloudagent_port: life.port, ...policies },
  }
  expect(await life.ask('verifier', path, { method: 'POST', body, admin: true })).toMatchObject({
    status: 200,
  })
}

function shows(life: Scene, record: Results): Promise<void> {
  return vi.waitFor(async () => {
    const reply = await life.ask('verifier', `/v2.5/agents/${UUID}`, { admin: true })
    expect(resultsOf(reply)).toMatchObject(record)
  }, SOON)
}

test.each(['1.0', '2.0'] as const)(
  'under %s a guest activates by a deep quote, and attests with its host',
  async (version) => {
    const life = await scene(version)
    const own = resultsOf(await life.ask('registrar', `/v2.5/agents/${UUID}`, { admin: true }))
    const host = resultsOf(await life.atProvider(`/v2.5/agents/${UUID}`, { admin: true }))
    expect(own).toMatchObject({ regcount: 1 })
    expect(host['aik_tpm']).not.toBe(own['aik_tpm'])
    await enrol(life, { tpm_policy: policy(0x22), vtpm_policy: policy(0x11) })
    await shows(life, { operational_state: GET_QUOTE, attestation_count: 2 })
  },
)

test('a guest on a host in another state fails', async () => {
  const life = await scene('2.0')
  await enrol(life, { tpm_policy: policy(0x11), vtpm_policy: policy(0x11) })
  await shows(life, {
    ...{ operational_state: INVALID_QUOTE, last_event_id: 'pcr_validation.invalid_pcr_7' },
  })
})

test('the agent answers vmask by deep quotes up to 2.0, and ignores it from 2.1 on', async () => {
  const life = await scene('2.0')
  const query = `nonce=${NONCE}&mask=0x0&vmask=0x80&partial=1`
  const { quote } = await askAgent(life, `/v2.0/quotes/integrity?${query}`)
  const quotes = parseDeepQuoteString(String(quote))
  expect(Buffer.from(decode(TPMS_ATTEST, quotes.guest.message).extraData).toString()).toBe(NONCE)
  const { extraData } = decode(TPMS_ATTEST, quotes.host.message)
  expect(extraData).toEqual(sha256(quotes.guest.message))
  const later = await askAgent(life, `/v2.1/quotes/integrity?${query}`)
  expect(later['quote']).toMatch(/^r/)
  const plain = await askAgent(life, `/v2.0/quotes/integrity?nonce=${NONCE}&mask=0x0&partial=1`)
  expect(plain['quote']).toMatch(/^r/)
})

test('an agent with a host needs the registrar of its provider', async () => {
  const [{ state_dir }, { tcti }] = [await composed(), await startSwtpm()]
  const settings = [
    `state_dir=${state_dir}`,
    'log_level=silent',
    `tcti=${tcti}`,
    `host_tpm=${tcti}`,
  ]
  const config = loadConfig('agent', undefined, settings)
  await expect(composeAgent(config, SHIPPED_PARTS)).rejects.toThrow('provider_registrar_ip')
})
