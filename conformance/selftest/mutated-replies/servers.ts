import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Command } from 'commander'
import { USUAL_FORMS } from '../../../simulator/agents/key-forms.ts'
import { makeServerCertificate } from '../../../simulator/agents/server-certificate.ts'
import { startRegistrar } from '../../../simulator/services/scripted-registrar.ts'
import { startVerifier } from '../../../simulator/services/scripted-verifier.ts'
import { type Service, startService } from '../../../simulator/services/service.ts'
import { deferred } from '../../attempt/deferred.ts'
import { freshSeed, type SeededRandom, seededRandom } from '../../attempt/random.ts'
import { base64 } from '../../client/bytes.ts'
import { packageRoot } from '../../input/package-root.ts'
import {
  agentAnswers,
  makeAgentKeys,
  type Play,
  registrarAnswers,
  verifierAnswers,
} from '../../peers/tenant-servers.ts'
import { FRAMINGS } from './mutate-message.ts'
import { mutateRequest, type SentRequest } from './mutate-request.ts'
import { oneOf } from './mutate-value.ts'

const AT_ONCE = 8

/** Characters of a first line in the report of a fault. */
const SHOWN = 120

/** Milliseconds after which a server that neither answers nor ends a connection counts as stuck. */
const STUCK_MS = 45_000

/** Closed connections keep their ports for a while; those of 127.0.0.1 are left to other programs. */
const OWN_ADDRESS = '127.0.0.2'

/** Of so many requests one is sent in the clear to the port with TLS. */
const TO_TLS = 16

const ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const RECORDED = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')
const AIK = readFileSync(join(RECORDED, 'ak_rsa.tpm2b_public'))
const EK = readFileSync(join(RECORDED, 'ek_rsa.tpm2b_public'))
const METHOD = { authentication_class: 'pop', authentication_type: 'tpm_pop' }
const QUOTE = { evidence_class: 'certification', evidence_type: 'tpm_quote' }

const requestOf = (method: string, path: string, json?: unknown): SentRequest => {
  const body = Buffer.from(json === undefined ? '' : JSON.stringify(json))
  const headers = { host: 'localhost', connection: 'close', accept: 'application/json' }
  return { method, path, headers, body }
}
const ofPush = (type: string, attributes: unknown) => ({ data: { type, attributes } })

/** Correct requests to each server that the harness plays. */
const REQUESTS: Readonly<Record<string, readonly SentRequest[]>> = {
  registrar: [
    requestOf('GET', '/version'),
    requestOf('POST', '/v3.0/agents/', { agent_id: ID, aik_tpm: base64(AIK), ekcert: 'AAAA' }),
    requestOf('POST', `/v2.5/agents/${ID}`, { aik_tpm: base64(AIK), ek_tpm: base64(EK) }),
    requestOf('PUT', `/v2.5/agents/${ID}/activate`, { auth_tag: 'aa' }),
    requestOf('POST', `/v3.0/agents/${ID}/activate`, { auth_tag: 'aa', deepquote: 'AAAA' }),
  ],
  verifier: [
    requestOf(
      'POST',
      '/v3/sessions',
      ofPush('session', { agent_id: ID, authentication_supported: [METHOD] }),
    ),
    requestOf(
      'PATCH',
      `/v3/sessions/${ID}`,
      ofPush('session', { authentication_provided: [{ ...METHOD, data: {} }] }),
    ),
    requestOf(
      'POST',
      `/v3/agents/${ID}/attestations`,
      ofPush('attestation', {
        system_info: { boot_time: '2026-01-01T00:00:00Z' },
        evidence_supported: [
          {
            ...QUOTE,
            capabilities: {
              available_subjects: [0],
              signature_schemes: ['rsassa'],
              hash_algorithms: ['sha256'],
              certification_keys: [
                { key_class: 'asymmetric', allowable_hash_algorithms: ['sha256'] },
              ],
            },
          },
          {
            evidence_class: 'log',
            evidence_type: 'ima_log',
            capabilities: { entry_count: 3, formats: ['text/plain'] },
          },
        ],
      }),
    ),
    requestOf(
      'PATCH',
      `/v3/agents/${ID}/attestations/latest`,
      ofPush('attestation', {
        evidence_collected: [{ evidence_type: 'ima_log', data: { entry_count: 3 } }],
      }),
    ),
  ],
  'registrar of a tenant': [
    requestOf('GET', '/version'),
    requestOf('GET', '/v2.5/agents/'),
    requestOf('GET', `/v2.5/agents/${ID}`),
  ],
  'verifier of a tenant': [
    requestOf('GET', `/v2.5/agents/${ID}?bulk=true`),
    requestOf('POST', `/v2.5/agents/${ID}`, {
      v: base64(new Uint8Array(32)),
      cloudagent_ip: '127.0.0.1',
    }),
    requestOf('POST', '/v2.5/allowlists/name', { runtime_policy: 'AAAA' }),
    requestOf('PUT', '/v2.5/mbpolicies/name', { mb_policy: 'AAAA' }),
    requestOf('DELETE', `/v2.5/agents/${ID}`),
  ],
  'agent of a tenant': [
    requestOf('GET', '/version'),
    requestOf('GET', '/v2.5/keys/pubkey'),
    requestOf('POST', '/v2.5/keys/ukey', {
      encrypted_key: 'AAAA',
      auth_tag: 'aa',
      payload: 'AAAA',
    }),
    requestOf('GET', '/v2.5/keys/verify?challenge=abc'),
  ],
}

type Served = Pick<Service, 'port' | 'tlsPort' | 'close'>

const MET = Object.values(REQUESTS)
  .flat()
  .map(({ body }) => body.toString())

async function startAll(): Promise<Readonly<Record<string, Served>>> {
  const machine = { ak: { public: AIK }, ek: { public: EK, certificate: new Uint8Array(4) } }
  const play = { agentId: ID, machine, certificate: '', agentVersions: ['2.5'] } as unknown as Play
  const keys = makeAgentKeys(ID, USUAL_FORMS)
  const { certificate, key } = await makeServerCertificate(ID, Date.now())
  const tls = { certificate, key, ca: certificate }
  const ofRegistrar = registrarAnswers(play, () => ({ port: 1, tlsPort: 1 }))
  return {
    registrar: await startRegistrar({ tls, endorsementKey: EK, versions: ['2.5', '3.0'] }),
    verifier: await startVerifier({ tls }),
    'registrar of a tenant': await startService({ tls, answer: ofRegistrar }),
    'verifier of a tenant': await startService({ tls, answer: verifierAnswers(play, keys) }),
    'agent of a tenant': await startService({ tls, answer: agentAnswers(play, keys) }),
  }
}

/** Writes bytes to a port and half-closes; the first line of what comes back, or why nothing does. */
function send(port: number, bytes: Buffer): Promise<string> {
  const { promise, resolve } = deferred<string>()
  const received: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', localAddress: OWN_ADDRESS }, () =>
    socket.end(bytes),
  )
  socket.setTimeout(STUCK_MS, () => {
    resolve('stuck')
    socket.destroy()
  })
  socket.on('data', (chunk: Buffer) => void received.push(chunk))
  socket.on('error', () => undefined)
  socket.on('close', () =>
    resolve(Buffer.concat(received).toString('latin1').split('\r\n')[0] ?? ''),
  )
  return promise
}

/** Sends one changed request; why the server has a fault, if it has one. */
async function feedOne(
  services: Readonly<Record<string, Served>>,
  random: SeededRandom,
): Promise<string | undefined> {
  const [name, { port, tlsPort }] = oneOf(random, Object.entries(services))
  const { kind, bytes } = mutateRequest(oneOf(random, REQUESTS[name] ?? []), random, { met: MET })
  const isClear = random.below(TO_TLS) === 0
  const answer = await send(isClear ? tlsPort : port, bytes)
  const mayBeCut = isClear || FRAMINGS.some(([framing]) => framing === kind)
  if (answer !== 'stuck' && (mayBeCut || answer.startsWith('HTTP/1.1 '))) return undefined
  const [line = ''] = bytes.toString('latin1').split('\r\n')
  return `${name}: ${answer === 'stuck' ? 'never ends' : 'cuts'} ${kind}, ${line.slice(0, SHOWN)}`
}

interface Options {
  readonly seed: string
  readonly inputs: string
}

async function main({ seed, inputs }: Options): Promise<number> {
  const services = await startAll()
  const random = seededRandom(seed, 'requests for the servers')
  const faults = new Set<string>()
  const next = Array.from({ length: Number(inputs) }).keys()
  const work = async () => {
    for (const _ of next) {
      const fault = await feedOne(services, random)
      if (fault !== undefined) faults.add(fault)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const service of Object.values(services)) await service.close()
  for (const fault of faults) console.log(fault)
  console.log(`${inputs} changed requests; seed ${seed}`)
  console.log(`${faults.size} faults of the harness`)
  return faults.size === 0 ? 0 : 1
}

const program = new Command('servers')
  .description('sends changed requests to the servers that the harness plays')
  .option('--seed <hex>', 'repeats the changes', freshSeed())
  .option('--inputs <n>', 'requests to send', '5000')
process.exit(await main(program.parse().opts<Options>()))
