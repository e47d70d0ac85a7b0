import { seededRandom } from '../../../dev/testing/seeded-random.ts'
import type { JsonClient, JsonQuestion, JsonReply } from '../../../http-client/json-client.ts'
import { REGISTRATION_REQUEST } from '../../registration/registration-request.ts'
import type { PushEnvironment } from '../environment.ts'
import { pushRules } from '../push-rules.ts'
import { BLOB, begun, granted, session, taken, VERSIONS } from './push-answers.ts'
import { stubPushAttester } from './stub-push-attester.ts'
import { type VirtualClock, virtualClock } from './virtual-clock.ts'

export const AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** The kinds of requests of an agent. */
export type Call =
  | 'version'
  | 'register'
  | 'activate'
  | 'session'
  | 'proof'
  | 'capabilities'
  | 'evidence'

export interface RecordedRequest extends JsonQuestion {
  readonly call: Call
}

type Answer = JsonReply | Error

export const reply = (status: number, body: unknown, headers: JsonReply['headers'] = {}) => ({
  ...{ status, body, headers },
})

const HONEST: Readonly<Record<Call, JsonReply>> = {
  version: reply(200, VERSIONS),
  register: reply(200, BLOB),
  activate: reply(200, { results: {} }),
  session: reply(200, session()),
  proof: reply(200, granted()),
  capabilities: reply(201, begun()),
  evidence: reply(202, taken()),
}

const CALLS: readonly (readonly [Call, RegExp])[] = [
  ['version', /^GET \/version$/],
  ['activate', /\/activate$/],
  ['register', /^POST \/v[23].\d\/agents\/([^/]+)?$/],
  ['session', /^POST \/v3\/sessions$/],
  ['proof', /^PATCH \/v3\/sessions\//],
  ['capabilities', /^POST \/v3\/agents\/[^/]+\/attestations$/],
  ['evidence', /^PATCH \/v3\/agents\/[^/]+\/attestations\//],
]

export interface TestEnvironment {
  readonly environment: PushEnvironment
  readonly clock: VirtualClock
  /** Every question, in order. */
  readonly asked: readonly RecordedRequest[]
  /** The next answers to a call, one after the other; the honest one comes after them. */
  answers(call: Call, ...answers: readonly Answer[]): void
}

export const LIST = '10 aa ima-ng sha256:1 /a\n10 bb ima-ng sha256:2 /b\n10 cc ima-ng sha256:3 /c\n'

/** An environment with honest servers, unless scripted otherwise, in which time passes only during waits. */
export function testEnvironment(change: Partial<PushEnvironment> = {}): TestEnvironment {
  const clock = virtualClock()
  const asked: RecordedRequest[] = []
  const scripted = new Map<Call, Answer[]>()
  const client: JsonClient = {
    async ask(question) {
      const call = callOf(question)
      asked.push({ ...question, call })
      const answer = scripted.get(call)?.shift() ?? HONEST[call]
      if (answer instanceof Error) throw answer
      return answer
    },
    get: (path) => client.ask({ path }),
    close: () => undefined,
  }
  const lines = LIST.split(/(?<=\n)/)
  const environment: PushEnvironment = {
    ...{ agentId: AGENT, registrar: client, verifier: client, attester: stubPushAttester },
    registration: {
      ...{ agentId: AGENT, akPublic: stubPushAttester.akPublic, ekPublic: Uint8Array.of(1) },
      ...{ ekCertificate: undefined, serverCertificate: 'disabled' },
    },
    registrationRequest: REGISTRATION_REQUEST,
    registrarVersions: ['2.5', '3.0'],
    imaLog: async (entry) => ({ lines: Buffer.from(lines.slice(entry).join('')), entry }),
    bootLog: async () => Uint8Array.of(1, 2, 3),
    countIma: async () => ({ entries: lines.length, isBinary: false }),
    countBootEvents: async () => 1,
    bootTime: async () => '2026-01-01T00:00:00.000Z',
    ...{ clock, random: seededRandom(), rules: pushRules, keyName: 'ak', subjectForm: 'list' },
    pauses: {
      ...{ initialDelay: 1000, maxDelay: 16_000, jitter: 0.25 },
      ...{ interval: 60_000, leastInterval: 1000, mostInterval: 3_600_000 },
    },
    ...change,
  }
  return {
    ...{ environment, clock, asked },
    answers: (call, ...answers) => void scripted.set(call, [...answers]),
  }
}

function callOf({ method = 'GET', path }: JsonQuestion): Call {
  const found = CALLS.find(([, pattern]) => pattern.test(`${method} ${path}`))
  if (found === undefined) throw new Error(`no server has ${method} ${path}`)
  return found[0]
}
