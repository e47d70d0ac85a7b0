import {
  constants,
  createCipheriv,
  createHmac,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import type { Call, Handler } from '../../api/call.ts'
import { DOCUMENTED_VERSIONS } from '../../api/versions.ts'
import { SHIPPED_PARTS } from '../../compose/parts.ts'
import type { CertificateSettings } from '../../registrar/check-certificate.ts'
import type { RegistrarParts } from '../../registrar/registrar-parts.ts'
import type { RegistrationRow } from '../../storage/databases/database.ts'
import type { RegistrarStore } from '../../storage/registrar-store.ts'
import { KEYS } from '../testing/certificates/recorded-keys.ts'
import { present } from './measure.ts'

/** Agents of one round; rounds of each side by turns, of which the best counts, as noise only ever adds. */
const AGENTS = 300
const ROUNDS = 25

/** How many times its RSA and HMAC work, done once from the certificate on, a registration with its activation may take. */
const LIMIT = 3

const BODY = {
  aik_tpm: KEYS.akRsa,
  ekcert: KEYS.ekcert,
  ek_tpm: KEYS.ek,
  mtls_cert: 'disabled',
  ip: '192.0.2.1',
  port: '9002',
}

/** Microseconds of processor for each agent. */
async function cpuOf(each: (agentId: string) => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < AGENTS; at++)
    await each(`d432fbb3-d2f1-4a97-9ef7-${at.toString().padStart(12, '0')}`)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / AGENTS
}

/** A request of 2.5 after its body was parsed. */
function callOf(agent_id: string, body: object): Call {
  return { version: '2.5', params: { agent_id }, query: {}, body, identity: { type: 'anonymous' } }
}

/** Records in memory: the figures exclude the database. */
function memoryStore(): RegistrarStore {
  const rows = new Map<string, RegistrationRow>()
  return {
    find: async (id) => rows.get(id),
    list: async () => [...rows.keys()].sort(),
    async change(id, change) {
      const next = change(rows.get(id))
      if (next !== undefined) rows.set(id, next)
      return next
    },
    remove: async (id) => rows.delete(id),
    close: async () => rows.clear(),
  }
}

function registrar(): { register: Handler; activate: Handler; store: RegistrarStore } {
  const store = memoryStore()
  const {
    clock,
    random,
    registrationRules: rules,
    registrationRecord: registration,
  } = SHIPPED_PARTS
  const certificates: CertificateSettings = {
    store: undefined,
    requireEkCertificate: false,
    malformed: 'warn',
    identity: 'default',
  }
  const warn = (sentence: string) => {
    throw new Error(sentence)
  }
  const parts: RegistrarParts = {
    ...{ store, clock, random, rules, registration, certificates, warn },
  }
  const operations = SHIPPED_PARTS.registrarOperations(parts, DOCUMENTED_VERSIONS)
  return { register: operations['register-agent'], activate: operations['activate-agent'], store }
}

/** The whole of both requests, from what JSON.parse gave to the records. */
async function ours(): Promise<number> {
  const { register, activate, store } = registrar()
  const taken = await cpuOf(async (agent_id) => {
    await register(callOf(agent_id, BODY))
    const row = await store.find(agent_id)
    await activate(callOf(agent_id, { auth_tag: row?.expected_tag }))
  })
  const ids = await store.list()
  const rows = await Promise.all(ids.map((id) => store.find(id)))
  if (rows.length !== AGENTS || rows.some((row) => row?.active !== 1))
    throw new Error(
      'every agent must become active, as only then the whole of the work is measured',
    )
  return taken
}

const NAME = randomBytes(34)

/** The calls of OpenSSL that no registration can do without, once there is a key. */
function seal(key: KeyObject, agentId: string): void {
  const seed = randomBytes(32)
  const secret = randomBytes(32)
  const label = Buffer.from('IDENTITY\0')
  const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: label }
  publicEncrypt({ key, ...oaep }, seed)
  const aesKey = createHmac('sha256', seed).update(NAME).digest().subarray(0, 16)
  const cipher = createCipheriv('aes-128-cfb', aesKey, Buffer.alloc(16))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  const hmacKey = createHmac('sha256', seed).update('INTEGRITY').digest()
  createHmac('sha256', hmacKey).update(sealed).update(NAME).digest()
  createHmac('sha384', secret.toString('base64')).update(agentId).digest('hex')
}

const CERTIFICATE = Buffer.from(KEYS.ekcert, 'base64')
const { publicKey: KEY } = new X509Certificate(CERTIFICATE)

/** An agent registers once, and its key comes in a certificate: OpenSSL has to read that before it can encrypt. */
const oneShot = () => cpuOf((id) => seal(new X509Certificate(CERTIFICATE).publicKey, id))
const withKey = () => cpuOf((id) => seal(KEY, id))

async function rounds() {
  const best = { ours: Infinity, oneShot: Infinity, withKey: Infinity }
  for (let round = 0; round < ROUNDS; round++) {
    best.ours = Math.min(best.ours, await ours())
    best.oneShot = Math.min(best.oneShot, await oneShot())
    best.withKey = Math.min(best.withKey, await withKey())
  }
  return best
}

const best = await rounds()
const row = { subject: 'registration and activation', unit: 'agent', ours: best.ours }
present([
  { ...row, floor: 'certificate, RSA-OAEP and HMACs', least: best.oneShot, limit: LIMIT },
  { ...row, floor: 'the same with the key at hand', least: best.withKey },
])
