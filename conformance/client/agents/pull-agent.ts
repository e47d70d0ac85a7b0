import type { PullHost } from '../../../simulator/agents/deep-quote.ts'
import { type ScriptedPullAgent, startPullAgent } from '../../../simulator/agents/pull-agent.ts'
import type { PullRequest } from '../../../simulator/agents/pull-request.ts'
import type { PullScript } from '../../../simulator/agents/pull-script.ts'
import {
  makeServerCertificate,
  type ServerCertificate,
} from '../../../simulator/agents/server-certificate.ts'
import type { PullMachine } from '../../../simulator/machine/pull-machine.ts'
import type { Bank } from '../../../simulator/tpm/hash.ts'
import { isRefusal, type Reply, results } from '../../attempt/reply.ts'
import { API_VERSIONS } from '../../catalogue/requirement.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { visibleLine } from '../../report/visible.ts'
import { authTag, base64 } from '../bytes.ts'
import { keyFormsOf } from '../key-forms.ts'
import { openBlob } from './credential-blob.ts'
import { type Enrolment, enrolmentOf } from './enrolment.ts'
import { expectSuccess } from './expect-success.ts'
import type { MachinesOptions } from './machine-options.ts'
import { type PolledPcrs, tpmPolicyOf } from './polled-pcrs.ts'
import { encodePort, registrationOf } from './registration.ts'

export interface PullAgentOptions extends Omit<Enrolment, 'address'>, PolledPcrs {
  /** The last setup step; the scenario takes the later ones. Default `enrolled`. */
  readonly until?: 'listening' | 'activated' | 'enrolled'
  /** When and how the agent misbehaves. */
  readonly script?: PullScript
  /** API versions of the agent, from 2.0 to 2.5. Default: all of them. */
  readonly versions?: readonly string[]
  /** The V key that the verifier delivers to the agent. */
  readonly v?: Uint8Array
  /** Members of the add-agent request that replace the default ones. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Name of its node key; by default all agents have the same, since key generation is slow. */
  readonly nodeKeyName?: string
  /** What the agent presents when its script says so, in place of its own. */
  readonly otherCertificate?: ServerCertificate
  /** Quoted bank; default SHA-256. */
  readonly hashAlg?: Bank
  /** Whether its `/version` has `supported_versions`; default true. */
  readonly listsVersions?: boolean
  /** The host of its machine, for deep quotes. */
  readonly hostMachine?: PullHost
  /**
   * The loopback address at which it listens and is added; default 127.0.0.1. With another one it registers 127.0.0.1 and
   * a port where nothing listens.
   */
  readonly host?: string
}

interface PullAgentParts extends MachinesOptions {
  readonly machine: PullMachine
  readonly agentId: string
}

/** A scripted pull agent and its administration. */
export interface PullAgent {
  readonly id: string
  readonly machine: PullMachine
  /** Its server certificate, with its key. */
  readonly served: ServerCertificate
  readonly port: number
  /** Whether it has a runtime policy, so that the verifier evaluates its measurement list. */
  readonly measured: boolean
  /** All received requests, oldest first. */
  readonly asked: readonly PullRequest[]
  /** The requests that are polls, including connections that the script refused. */
  readonly polls: readonly PullRequest[]
  /** The V key that the agent received; undefined before. */
  readonly v: Uint8Array | undefined
  register(): Promise<Reply>
  activate(): Promise<void>
  /** Adds the agent to the verifier; `members` replace those of the request. */
  enrol(members?: Readonly<Record<string, unknown>>): Promise<Reply>
  /** Replaces the script. */
  rewrite(script: PullScript): void
  /** Waits for `count` polls, at most twice the time that they may take, and returns all polls. */
  polled(count: number): Promise<readonly PullRequest[]>
  /** Waits until no answer to a poll is being sent any more, at most three times the time for a verdict. */
  answered(): Promise<void>
  /** Reads the verifier's record until `holds` returns true or the time for a verdict is over; returns the last reply. */
  recordOnce(holds: (record: Reply) => boolean): Promise<Reply>
}

const STEPS = ['listening', 'activated', 'enrolled'] as const
const LOOK_EVERY_MS = 150
const PULL_VERSIONS = API_VERSIONS.filter((version) => version.startsWith('2.'))
const HOST = '127.0.0.1'
const DISCARD_PORT = 9

/** Starts a pull agent. Cleanup removes it from the subject. */
export async function pullAgent(
  parts: PullAgentParts,
  options: PullAgentOptions,
): Promise<PullAgent> {
  const { agentId, onCleanup } = parts
  const served = await makeServerCertificate(agentId, Date.now())
  const server = await startServer(parts, options, served)
  onCleanup(() => server.close())
  const agent = agentOf(parts, options, { server, served })
  const last = STEPS.indexOf(options.until ?? 'enrolled')
  if (last >= STEPS.indexOf('activated')) await agent.activate()
  if (last >= STEPS.indexOf('enrolled')) expectSuccess('adding an agent', await agent.enrol())
  return agent
}

function misbehaves({ script = [] }: PullAgentOptions, name: PullScript[number]['does']): boolean {
  return script.some(({ does }) => does === name)
}

/** The certificate that the agent presents in place of its own, if its script has it present one. */
async function otherCertificateOf(
  agentId: string,
  options: PullAgentOptions,
  issuer: ServerCertificate,
): Promise<ServerCertificate | undefined> {
  if (misbehaves(options, 'other-certificate')) return makeServerCertificate(agentId, Date.now())
  if (misbehaves(options, 'certificate-issued-by-its-own'))
    return makeServerCertificate(agentId, Date.now(), { issuer })
  return options.otherCertificate
}

async function startServer(
  { agentId, machine, contexts, dialect, transcript }: PullAgentParts,
  options: PullAgentOptions,
  certificate: ServerCertificate,
): Promise<ScriptedPullAgent> {
  const { script = [], versions = PULL_VERSIONS, nodeKeyName, hashAlg, host = HOST } = options
  const otherCertificate = await otherCertificateOf(agentId, options, certificate)
  return startPullAgent({
    ...{ agentId, machine, certificate, versions, script, host, now: Date.now },
    clientCa: contexts.ca,
    ...(otherCertificate && { otherCertificate }),
    sendsBoottime: dialect.boottime === 'elapsed',
    keyForms: keyFormsOf(dialect),
    ...(nodeKeyName !== undefined && { nodeKeyName }),
    ...(hashAlg !== undefined && { hashAlg }),
    listsVersions: options.listsVersions,
    hostMachine: options.hostMachine,
    onAgentRequest: (request) => transcript.note(noteOf(agentId.slice(0, 8), request)),
  })
}

function noteOf(agent: string, { method, target, poll }: PullRequest): string {
  if (method !== '') return `the verifier asks agent ${agent}: ${method} ${target}`
  return poll === undefined
    ? `the verifier sent bytes to agent ${agent} that are no HTTP, beginning with: ${visibleLine(target)}`
    : `the verifier connects to agent ${agent}, in place of poll ${poll}`
}

interface Serving {
  readonly server: ScriptedPullAgent
  readonly served: ServerCertificate
}

function agentOf(
  parts: PullAgentParts,
  options: PullAgentOptions,
  { server, served }: Serving,
): PullAgent {
  const { agentId, machine, dialect, registrar, verifier, onCleanup } = parts
  const { measured = parts.capabilities.includes('ima_log') } = options
  const place = { ip: server.host, port: server.port }
  const undo = (step: () => Promise<unknown>) => onCleanup(async () => void (await step()))
  const agent: PullAgent = {
    id: agentId,
    machine,
    served,
    port: server.port,
    measured,
    get asked() {
      return server.requests
    },
    get polls() {
      return server.requests.filter(({ poll }) => poll !== undefined)
    },
    get v() {
      return server.keys.v
    },
    async register() {
      const port = encodePort(place.ip === HOST ? place.port : DISCARD_PORT, dialect)
      const body = {
        ...registrationOf(machine, dialect),
        ip: HOST,
        port,
        mtls_cert: served.certificate,
      }
      const reply = await registrar.register(agentId, body)
      if (!isRefusal(reply)) undo(() => registrar.delete(agentId, verifier.admin))
      return reply
    },
    async activate() {
      const registration = expectSuccess('registration', await agent.register())
      const secret = await openBlob(registration, dialect, (blob) =>
        machine.activateCredential(blob),
      )
      const tag = authTag(secret, agentId, dialect)
      expectSuccess('activation', await registrar.activate(agentId, tag))
    },
    async enrol(members = {}) {
      const body = requestOf(
        machine,
        { ...options, measured },
        { ...place, certificate: served.certificate, dialect },
      )
      const reply = await verifier.addAgent(agentId, { ...body, ...members })
      if (!isRefusal(reply)) undo(() => verifier.deleteAgent(agentId))
      return reply
    },
    rewrite: (script) => server.rewrite(script),
    async polled(count) {
      await waitFor(parts, count, () => agent.polls.length >= count)
      return agent.polls
    },
    async answered() {
      const deadline = parts.now() + 3 * parts.verdictWithinMs
      while (server.answering > 0 && parts.now() < deadline) await parts.wait(LOOK_EVERY_MS)
    },
    recordOnce: (holds) => recordOnce(parts, holds),
  }
  return agent
}

interface Contact {
  readonly ip: string
  readonly port: number
  readonly certificate: string
  readonly dialect: Dialect
}

/** The add-agent request of a pull agent: that of a push agent with address, TPM policy and accepted algorithms. */
function requestOf(
  machine: PullMachine,
  options: PullAgentOptions,
  { ip, port, certificate, dialect }: Contact,
): Readonly<Record<string, unknown>> {
  const { v, members, versions = PULL_VERSIONS, speaks = versions.at(-1) ?? '2.5' } = options
  const address = { ip, port }
  return {
    ...enrolmentOf(machine, { ...options, speaks, address }, dialect),
    mtls_cert: certificate,
    tpm_policy: tpmPolicyOf(options),
    ...(v && { v: base64(v) }),
    ...members,
  }
}

/** Polls until the condition holds; the limit is twice the time of `count` polls plus the time of a verdict. */
async function waitFor(
  { quoteIntervalMs, verdictWithinMs, wait, now }: PullAgentParts,
  polls: number,
  holds: () => boolean,
): Promise<void> {
  const deadline = now() + 2 * polls * quoteIntervalMs + verdictWithinMs
  while (!holds() && now() < deadline) await wait(LOOK_EVERY_MS)
}

async function recordOnce(
  { verifier, agentId, verdictWithinMs, wait, now }: PullAgentParts,
  holds: (record: Reply) => boolean,
): Promise<Reply> {
  const deadline = now() + verdictWithinMs
  let record = await verifier.readAgent(agentId)
  while (!holds(record) && now() < deadline) {
    await wait(LOOK_EVERY_MS)
    record = await verifier.readAgent(agentId)
  }
  return record
}

/** `attestation_count` of a record: the number of verified quotes. */
export function countOf(record: Reply): number {
  return Number(results(record, 'attestation_count'))
}
