import { createHmac, randomBytes } from 'node:crypto'
import { decodedPart } from '../agents/request-line.ts'
import { makeCredential } from '../soft/make-credential.ts'
import { ShortRead } from '../tpm/cursor.ts'
import { nameOf } from '../tpm/public.ts'
import { text } from '../tpm/write.ts'
import type { ReceivedRequest, ServedReply } from './service.ts'

/** State of an agent at a registrar. */
export interface Registration {
  readonly agentId: string
  /** API version of the path, without a `v`. */
  readonly version: string
  /** The members of the body, unchanged. */
  readonly body: Readonly<Record<string, unknown>>
  /** Number of registrations. */
  readonly count: number
  /** Whether it answered the challenge, and the form of the challenge that it used. */
  readonly activated: false | 'base64' | 'raw'
  /** What it activated with in place of a tag, and the two tags that it could have sent. */
  readonly deepQuote?: { readonly text: string; readonly tags: readonly string[] }
}

/** A step of a registration. */
export type RegistrarStep = 'version' | 'register' | 'activate'

/** Settings of a correct registrar. */
export interface RegistrarSettings {
  /** TPM2B_PUBLIC of the endorsement key for which challenges are sealed. */
  readonly endorsementKey: Uint8Array
  /** API versions that it lists and serves; the last is its current one. */
  readonly versions?: readonly string[]
}

const VERSIONS = ['2.1', '2.2', '2.3', '2.4', '2.5']
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

interface Entry extends Registration {
  readonly secret: Uint8Array
}

export interface TakenStep {
  readonly name: RegistrarStep
  readonly version: string
  readonly agentId: string
}

const PROBE = /^\/v3(?:\.0)?\/?$/
const PATH = /^\/v(\d+(?:\.\d+)?)\/agents(?:\/([^/?]*))?(\/v?activate)?\/?$/

/** Returns the step of a request; undefined for any other request. */
export function registrarStepOf({ method, url, json }: ReceivedRequest): TakenStep | undefined {
  if (url === '/version') return { name: 'version', version: '', agentId: '' }
  if (method === 'GET' && PROBE.test(url)) return { name: 'version', version: '3.0', agentId: '' }
  const [, prefix = '', id = '', activate] = PATH.exec(url) ?? []
  if (prefix === '') return undefined
  const version = prefix.includes('.') ? prefix : `${prefix}.0`
  const agentId = decodedPart(id)
  const isActivation = method === 'PUT' || (method === 'POST' && activate !== undefined)
  if (isActivation) return { name: 'activate', version, agentId }
  if (method !== 'POST') return undefined
  return { name: 'register', version, agentId: agentId || String(memberOf(json, 'agent_id')) }
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null
    ? (json as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** Envelope of every answer in the upstream dialect. */
export function envelope(status: number, statusText: string, results: unknown = {}): ServedReply {
  return { status, body: { code: status, status: statusText, results } }
}

/** 32 letters and digits, as upstream's registrar generates them. */
function freshSecret(): Uint8Array {
  return text([...randomBytes(32)].map((byte) => ALPHABET[byte % ALPHABET.length]).join(''))
}

function tagOf(key: Uint8Array | string, agentId: string): string {
  return createHmac('sha384', key).update(agentId).digest('hex')
}

/** The keys that a tag may have: the secret in base64, and itself. */
function keysOf({ secret }: Entry): readonly (string | Uint8Array)[] {
  return [Buffer.from(secret).toString('base64'), secret]
}

/** Returns the form of the challenge with which a tag was keyed; false if none matches. */
function keyedBy({ secret, agentId }: Entry, tag: unknown): Registration['activated'] {
  if (tag === tagOf(Buffer.from(secret).toString('base64'), agentId)) return 'base64'
  return tag === tagOf(secret, agentId) ? 'raw' : false
}

/** The Name of the attestation key, which the legacy listing of API 2.0 calls `aik`, and may have in PEM with its name. */
function nameOfKey({ aik_tpm, aik = aik_tpm, aik_name }: Registration['body']): Uint8Array {
  const isPem = String(aik).startsWith('-----BEGIN')
  if (isPem) return new Uint8Array(Buffer.from(String(aik_name), 'hex'))
  return nameOf(new Uint8Array(Buffer.from(String(aik), 'base64')))
}

function blobFor(endorsementKey: Uint8Array, { body, secret }: Entry): string {
  const name = nameOfKey(body)
  return Buffer.from(makeCredential(endorsementKey, name, secret)).toString('base64')
}

/** The registrations of one registrar: processes each step and returns the answer. */
export class RegistrarTruth {
  readonly #endorsementKey: Uint8Array
  readonly #versions: readonly string[]
  readonly #entries = new Map<string, Entry>()

  constructor({ endorsementKey, versions = VERSIONS }: RegistrarSettings) {
    this.#endorsementKey = endorsementKey
    this.#versions = versions
  }

  registrationOf(agentId: string): Registration | undefined {
    return this.#entries.get(agentId)
  }

  /** Returns the answer to a request of this step. */
  answer(step: TakenStep, request: ReceivedRequest): ServedReply {
    if (step.name === 'version') return this.#listVersions(step)
    if (!this.#versions.includes(step.version))
      return envelope(400, `API version ${step.version} is not supported`)
    return step.name === 'register' ? this.#register(step, request) : this.#activate(step, request)
  }

  #listVersions({ version }: TakenStep): ServedReply {
    const versions = this.#versions
    if (version !== '' && !versions.includes(version)) return envelope(404, 'no such version')
    const known = { current_version: versions.at(-1), supported_versions: versions }
    return envelope(200, 'Success', known)
  }

  #register({ agentId, version }: TakenStep, { json }: ReceivedRequest): ServedReply {
    const body = (json ?? {}) as Registration['body']
    const count = (this.#entries.get(agentId)?.count ?? 0) + 1
    const secret = freshSecret()
    const entry: Entry = { agentId, version, body, count, activated: false, secret }
    this.#entries.set(agentId, entry)
    try {
      return envelope(200, 'Success', { blob: blobFor(this.#endorsementKey, entry) })
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof ShortRead)) throw error
      return envelope(400, 'the attestation key cannot be read')
    }
  }

  #activate({ agentId }: TakenStep, { json }: ReceivedRequest): ServedReply {
    const entry = this.#entries.get(agentId)
    const deepQuote = memberOf(json, 'deepquote')
    if (entry !== undefined && typeof deepQuote === 'string') {
      const tags = keysOf(entry).map((key) => tagOf(key, agentId))
      const text = Buffer.from(deepQuote, 'base64').toString('latin1')
      this.#entries.set(agentId, { ...entry, deepQuote: { text, tags } })
      return envelope(200, 'Success')
    }
    const activated = entry !== undefined && keyedBy(entry, memberOf(json, 'auth_tag'))
    if (!activated) return envelope(400, 'the auth_tag does not answer the challenge')
    this.#entries.set(agentId, { ...entry, activated })
    return envelope(200, 'Success')
  }
}
