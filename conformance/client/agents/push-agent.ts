import type { Machine } from '../../../simulator/machine/machine.ts'
import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import type { Manufacturer } from '../../../simulator/swtpm/manufacturer.ts'
import { nameOf } from '../../../simulator/tpm/public.ts'
import { NotApplicable } from '../../attempt/endings.ts'
import { attributes, isRefusal, isSuccess, type Reply } from '../../attempt/reply.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { authTag } from '../bytes.ts'
import { ANONYMOUS, bearer, type Credentials, withAuthorization } from '../identity.ts'
import {
  type OtherEndorsementKey,
  type OtherKey,
  otherEndorsementKey,
} from '../other-endorsement-keys.ts'
import type { RegistrarClient } from '../registrar-client.ts'
import type { VerifierClient } from '../verifier-client.ts'
import { capabilitiesOf, TEXT_LIST } from './capabilities.ts'
import { type BlobPlace, openBlob, readBlob, tryBlob } from './credential-blob.ts'
import { deviceMembers, type IdentityDefect } from './device-members.ts'
import { type CertificateDefect, defectiveEkCertificate } from './ek-certificates.ts'
import { type Enrolment, enrolmentOf } from './enrolment.ts'
import { collectEvidence, type Defect, type Negotiation, readNegotiation } from './evidence.ts'
import { expectSuccess } from './expect-success.ts'
import {
  makeProof,
  type OpeningDefect,
  openingCall,
  type ProofDefect,
  proofCall,
  type SessionProof,
} from './session-proof.ts'
import { tokenOf } from './session-replies.ts'
import { type SoftDeviceDefect, softDeviceMembers } from './soft-device.ts'

export interface PushAgentOptions extends Enrolment {
  /** Its agent id. Default: a random UUID. */
  readonly id?: string
  /** The last setup step; the scenario takes the later ones. Default `session`. */
  readonly until?: 'booted' | 'registered' | 'activated' | 'enrolled' | 'session'
  readonly imaFormats?: readonly string[]
  /** Whether the agent offers a starting offset for its measurement list. Default true. */
  readonly imaInPart?: boolean
}

interface PushAgentParts<M extends AttestingMachine = Machine> {
  readonly machine: M
  readonly agentId: string
  readonly dialect: Dialect
  /** What the deployment claims: without `ima_log` agents offer no measurement list and have no runtime policy. */
  readonly capabilities: readonly string[]
  /** The manufacturer of the machine's TPM. */
  readonly factory: { readonly manufacturer: Manufacturer }
  readonly registrar: RegistrarClient
  readonly verifier: VerifierClient
  readonly now: () => number
  readonly onCleanup: (step: () => Promise<void>) => void
}

/** A scripted push agent. Every step can be run separately, mutated or repeated. */
export interface PushAgent<M extends AttestingMachine = Machine> {
  readonly id: string
  readonly machine: M
  /** The agent's credentials: its bearer token, once it has a session. */
  readonly credentials: Credentials
  /** Registers, without a token of the verifier; `members` replace or extend the machine's. */
  register(members?: Readonly<Record<string, unknown>>): Promise<Reply>
  /** The device identity members of a registration. */
  deviceMembers(defect?: IdentityDefect): Promise<Readonly<Record<string, string>>>
  /** The same of a device with soft keys, which are derived from a label. */
  softDeviceMembers(
    label: string,
    defect?: SoftDeviceDefect,
  ): Promise<Readonly<Record<string, string>>>
  /** `ekcert` of a registration with a defect. */
  ekCertificate(defect: CertificateDefect): Promise<string>
  /** Another endorsement key than the machine's. */
  otherEndorsementKey(kind: OtherKey): Promise<OtherEndorsementKey>
  /** Opens a registration's blob in the TPM and returns the activation tag, for this agent's id or `forId`. */
  openBlob(registration: Reply, forId?: string): Promise<string>
  /** The same with another endorsement key; `aik` is the public area of the registered key, by default the AK. */
  openBlobWith(key: OtherEndorsementKey, registration: Reply, aik?: Uint8Array): Promise<string>
  /** Tries to open a blob in a TPM, by default this machine's, with a key, by default the AK. */
  tryBlob(registration: Reply, where?: BlobPlace): Promise<'opened' | 'refused'>
  activate(authTag: string): Promise<Reply>
  /** Adds the agent to the verifier as administrator; `members` replace the machine's, `id` its agent id. */
  enrol(members?: Readonly<Record<string, unknown>>, id?: string): Promise<Reply>
  openSession(defect?: OpeningDefect, as?: Credentials): Promise<Reply>
  /** Makes the proof for a session's challenge without sending it. By default the AK certifies itself. */
  makeProof(session: Reply, proof?: ProofDefect): Promise<SessionProof>
  sendProof(proof: SessionProof, as?: Credentials): Promise<Reply>
  /** Makes the proof and sends it. */
  proveSession(session: Reply, proof?: ProofDefect): Promise<Reply>
  logIn(): Promise<void>
  /** Sends the capabilities POST with these credentials. Only this agent may do so. */
  offer(as: Credentials): Promise<Reply>
  /** Sends the capabilities POST and reads the answer. An agent that its failure stopped is reactivated first. */
  negotiate(): Promise<Negotiation>
  /** Sends the capabilities POST and returns any reply; only replies with Retry-After are retried. */
  offerInTurn(): Promise<Reply>
  /** Reads the answer to the capabilities. @throws {PrerequisiteFailed} if the reply is not a valid answer */
  negotiationIn(reply: Reply): Negotiation
  capabilities(): unknown
  /** Sends the evidence PATCH, by default to the path of the dialect. */
  submit(negotiation: Negotiation, defect?: Defect, index?: string): Promise<Reply>
  /** Reads the attestation until its evaluation is complete. */
  verdict(negotiation: Negotiation): Promise<Reply>
  /** Milliseconds since the start of the last accepted evidence submission, or since it was added; Infinity before. */
  silentMs(): number
  /** Runs a full attestation and returns it after its evaluation. */
  attest(defect?: Defect): Promise<Reply>
}

const STEPS = ['booted', 'registered', 'activated', 'enrolled', 'session'] as const

export async function pushAgent<M extends AttestingMachine>(
  parts: PushAgentParts<M>,
  options: PushAgentOptions,
): Promise<PushAgent<M>> {
  const agent = scriptedAgent(parts, options)
  const last = STEPS.indexOf(options.until ?? 'session')
  const reached = (step: (typeof STEPS)[number]) => STEPS.indexOf(step) <= last
  if (reached('registered')) {
    const registration = expectSuccess('registration', await agent.register())
    if (reached('activated')) {
      expectSuccess('activation', await agent.activate(await agent.openBlob(registration)))
    }
  }
  if (reached('enrolled')) expectSuccess('adding an agent', await agent.enrol())
  if (reached('session')) await agent.logIn()
  return agent
}

function scriptedAgent<M extends AttestingMachine>(
  parts: PushAgentParts<M>,
  options: PushAgentOptions,
): PushAgent<M> {
  const { machine, agentId, dialect, registrar, verifier } = parts
  const { manufacturer } = parts.factory
  const measured = parts.capabilities.includes('ima_log')
  let credentials: Credentials = { ...ANONYMOUS, name: `agent ${agentId.slice(0, 8)}` }
  let heardAt = Number.NEGATIVE_INFINITY
  let hasFailed = false
  const params = { agent_id: agentId }
  const agent: PushAgent<M> = {
    id: agentId,
    machine,
    get credentials() {
      return credentials
    },
    async register(members = {}) {
      const body = { ...registrar.registrationOf(machine), ...members }
      const odd = Object.keys(members).length === 0 ? {} : { defect: 'members of the scenario' }
      const as = { ...ANONYMOUS, name: credentials.name }
      const reply = await registrar.register(agentId, body, { as, ...odd })
      if (!isRefusal(reply)) cleanUp(parts, () => registrar.delete(agentId, verifier.admin))
      return reply
    },
    deviceMembers: (defect) => deviceMembers(machine, agentId, defect),
    softDeviceMembers: (label, defect) =>
      softDeviceMembers({ agentId, aik: machine.ak.public, manufacturer }, label, defect),
    ekCertificate: (defect) => defectiveEkCertificate(machine, defect, { manufacturer, dialect }),
    otherEndorsementKey: (kind) => otherEndorsementKey(kind, { manufacturer, dialect }),
    async openBlob(registration, forId = agentId) {
      const secret = await openBlob(registration, dialect, (blob) =>
        machine.activateCredential(blob),
      )
      return authTag(secret, forId, dialect)
    },
    async openBlobWith(key, registration, aik = machine.ak.public) {
      const name = nameOf(aik)
      const secret = await openBlob(registration, dialect, (blob) => key.open(blob, name))
      return authTag(secret, agentId, dialect)
    },
    tryBlob: (registration, where) =>
      tryBlob(readBlob(registration, dialect), { machine, ...where }),
    activate: (tag) => registrar.activate(agentId, tag),
    async enrol(members = {}, id = agentId) {
      const body = { ...enrolmentOf(machine, { measured, ...options }, dialect), ...members }
      const began = parts.now()
      const reply = await verifier.addAgent(id, body)
      if (isSuccess(reply) && id === agentId) heardAt = began
      if (!isRefusal(reply)) cleanUp(parts, () => verifier.deleteAgent(id))
      return reply
    },
    openSession: (defect = {}, as = { ...ANONYMOUS, name: credentials.name }) =>
      verifier.call('create-session', {
        as,
        ...openingCall(agentId, defect),
      }),
    makeProof: (session, proof = {}) => makeProof(parts, session, proof),
    sendProof: (proof, as = { ...ANONYMOUS, name: credentials.name }) =>
      verifier.call('complete-session', {
        as,
        ...proofCall(proof),
      }),
    proveSession: async (session, proof) => agent.sendProof(await agent.makeProof(session, proof)),
    async logIn() {
      const session = expectSuccess('opening a session', await agent.openSession())
      const proven = expectSuccess('the proof of possession', await agent.proveSession(session))
      const token = tokenOf(proven)
      credentials = withAuthorization(
        { ...ANONYMOUS, name: `agent ${agentId.slice(0, 8)}` },
        bearer(token),
      )
    },
    offer: (as) => verifier.call('negotiate', { as, params, body: agent.capabilities() }),
    capabilities: () =>
      capabilitiesOf(
        machine,
        {
          imaLog: options.measured ?? measured,
          imaFormats: options.imaFormats ?? [TEXT_LIST],
          imaInPart: options.imaInPart ?? true,
          uefiLog: options.measuredBoot === true,
        },
        dialect,
      ),
    async negotiate() {
      const reply = await agent.offerInTurn()
      if (reply.status !== 403 || !hasFailed) return agent.negotiationIn(reply)
      // A failure may stop an agent until an administrator reactivates it (ambiguity FAILFLAG).
      const { status } = await verifier.call('reactivate', { as: verifier.admin, params })
      if (status !== 200)
        throw new NotApplicable('an agent that failed is stopped here, and cannot be reactivated')
      hasFailed = false
      return agent.negotiationIn(await agent.offerInTurn())
    },
    async offerInTurn() {
      const body = agent.capabilities()
      return verifier.patiently(() => verifier.call('negotiate', { as: credentials, params, body }))
    },
    negotiationIn: (reply) =>
      readNegotiation(expectSuccess('the capabilities POST', reply), dialect),
    async submit(negotiation, defect = {}, index = submissionPath(negotiation, dialect)) {
      const body = await collectEvidence(machine, negotiation, defect, dialect)
      const odd = defect.says === undefined ? {} : { defect: defect.says }
      const began = parts.now()
      const as = credentials
      const reply = await verifier.call('submit', {
        as,
        params: { ...params, index },
        body,
        ...odd,
      })
      if (isSuccess(reply)) heardAt = began
      return reply
    },
    async verdict(negotiation) {
      const seen = await verifier.settled(agentId, negotiation.index)
      hasFailed = attributes(seen, 'evaluation') === 'fail'
      return seen
    },
    silentMs: () => parts.now() - heardAt,
    async attest(defect = {}) {
      const negotiation = await agent.negotiate()
      expectSuccess('the evidence PATCH', await agent.submit(negotiation, defect))
      return agent.verdict(negotiation)
    },
  }
  return agent
}

function submissionPath({ index }: Negotiation, dialect: Dialect): string {
  return dialect['evidence-path'] === 'latest' ? 'latest' : index
}

function cleanUp(
  { onCleanup }: Pick<PushAgentParts, 'onCleanup'>,
  step: () => Promise<Reply>,
): void {
  onCleanup(async () => {
    await step()
  })
}
