import { attributes, type Reply } from '../attempt/reply.ts'
import {
  type OperationRow,
  prefixesOf,
  VERIFIER_OPERATIONS,
  type VerifierOperation,
} from '../catalogue/routes/operations.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type IdentityClaim, identityQuery } from './agents/identity-quote.ts'
import { type ThirdPartyEvidence, verifyEvidenceRequest } from './agents/third-party-evidence.ts'
import { type CallOptions, ComponentClient, type ComponentOptions } from './component-client.ts'
import type { Repeated } from './https-client.ts'
import type { Credentials } from './identity.ts'

type Row = OperationRow<VerifierOperation>

interface VerifierOptions extends Omit<ComponentOptions, 'prefixOf'> {
  readonly admin: Credentials
  /** The time limit of an evaluation, and how to wait between two polls. */
  readonly verdictWithinMs: number
  readonly wait: (ms: number) => Promise<void>
  readonly now: () => number
}

const MEDIA_TYPES: Readonly<Record<Dialect['media-type'], string>> = {
  json: 'application/json',
  'vnd-api-json': 'application/vnd.api+json',
}
const LOOK_EVERY_MS = 40
const PATIENCE = 3

/** Client of the verifier under test. */
export class VerifierClient extends ComponentClient<Row> {
  /** Administrator credentials: client certificate, no `Authorization` header. */
  readonly admin: Credentials
  readonly #options: VerifierOptions

  constructor(options: VerifierOptions) {
    const { dialect } = options
    const prefixOf = (version: string) => prefixesOf('verifier', version, dialect)[0] ?? ''
    const mediaTypeOf = (version: string) =>
      version === '3.0' ? MEDIA_TYPES[dialect['media-type']] : MEDIA_TYPES.json
    super('verifier', VERIFIER_OPERATIONS, { ...options, prefixOf, mediaTypeOf })
    this.#options = options
    this.admin = options.admin
  }

  addAgent(agentId: string, body: Readonly<Record<string, unknown>>): Promise<Reply> {
    return this.call('add-agent', { params: { agent_id: agentId }, body, as: this.admin })
  }

  readAgent(agentId: string, as: Credentials = this.admin): Promise<Reply> {
    return this.call('read-agent', { params: { agent_id: agentId }, as })
  }

  deleteAgent(agentId: string): Promise<Reply> {
    return this.call('delete-agent', { params: { agent_id: agentId }, as: this.admin })
  }

  /**
   * Deletes an agent that the verifier may not be able to poll. One that has accepted a deletion may wait with it for the
   * end of a poll, which never comes then: the agent is stopped, and deleted again.
   */
  async removeAgent(agentId: string): Promise<void> {
    const { status } = await this.deleteAgent(agentId)
    if (status !== 202) return
    await this.call('stop', { params: { agent_id: agentId }, as: this.admin })
    await this.deleteAgent(agentId)
  }

  /** Sends third-party evidence for evaluation; `defect` describes an intended defect. */
  verifyEvidence(evidence: ThirdPartyEvidence, defect?: string): Promise<Reply> {
    const body = verifyEvidenceRequest(evidence, this.dialect)
    return this.call('verify-evidence', { body, ...(defect === undefined ? {} : { defect }) })
  }

  /** Sends an identity quote for evaluation; `encode` encodes the values of the query. */
  verifyIdentity(
    claim: IdentityClaim,
    { as = this.admin, encode }: { as?: Credentials; encode?: (text: string) => string } = {},
  ): Promise<Reply> {
    return this.call('verify-identity', { as, query: identityQuery(claim, encode) })
  }

  attestation(
    agentId: string,
    index: string | number,
    as: Credentials = this.admin,
  ): Promise<Reply> {
    return this.call('read-attestation', {
      params: { agent_id: agentId, index: String(index) },
      as,
    })
  }

  /** Reads an attestation until its evaluation is complete, at most for the target's `verdict_within`. */
  async settled(
    agentId: string,
    index: string | number,
    as: Credentials = this.admin,
  ): Promise<Reply> {
    const { now, wait, verdictWithinMs } = this.#options
    const deadline = now() + verdictWithinMs
    let reply = await this.attestation(agentId, index, as)
    while (!isSettled(reply) && now() < deadline) {
      await wait(LOOK_EVERY_MS)
      reply = await this.attestation(agentId, index, as)
    }
    return reply
  }

  /** Repeats a request at most `most` times within `verdict_within`. */
  async flood(operation: Row['operation'], options: CallOptions, most: number): Promise<Repeated> {
    const { now, verdictWithinMs } = this.#options
    const deadline = now() + verdictWithinMs
    return this.repeat(operation, options, (sent) => sent >= most || now() > deadline)
  }

  /** Retries a few times after 429 or 503 with `Retry-After`. */
  async patiently(send: () => Promise<Reply>): Promise<Reply> {
    let reply = await send()
    for (let tries = 1; tries < PATIENCE && waitAsked(reply) !== undefined; tries++) {
      await this.#options.wait(waitAsked(reply) ?? 0)
      reply = await send()
    }
    return reply
  }
}

/** The wait from Retry-After in milliseconds; undefined if absent or longer than a scenario may last. */
function waitAsked({ status, headers }: Reply): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = Number(headers['retry-after'])
  return seconds >= 0 && seconds <= 60 ? seconds * 1000 : undefined
}

function isSettled(reply: Reply): boolean {
  const evaluation = attributes(reply, 'evaluation')
  return evaluation === 'pass' || evaluation === 'fail'
}
