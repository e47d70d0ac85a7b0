import { isSuccess, type Reply, results } from '../../../conformance/attempt/reply.ts'
import { enrolmentOf } from '../../../conformance/client/agents/enrolment.ts'
import { tpmPolicyOf } from '../../../conformance/client/agents/polled-pcrs.ts'
import type { PullAgent } from '../../../conformance/client/agents/pull-agent.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import type { PullMachine } from '../../../simulator/machine/pull-machine.ts'
import { type StubMachine, stubMachine } from '../../../simulator/machine/stub-machine.ts'
import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import type { Quote } from '../../../simulator/platform/quote-pcrs.ts'
import { eventsOf } from '../../../simulator/platform/scripted-boot.ts'
import { filled } from '../../../simulator/tpm/write.ts'
import { bootPolicyOf } from '../../../simulator/uefi/boot-policy-of.ts'
import { SHIM_GRUB } from '../../../simulator/uefi/profiles/loaders.ts'
import { applyAt, type MutationStep, mutationSteps } from '../encode.ts'
import { type Answer, answerOf } from '../findings/answer.ts'
import type { Contradiction } from '../oracle/contradiction.ts'
import { contradictionsOf } from '../oracle/contradictions.ts'
import type { FuzzSession } from '../session.ts'
import type { Mutation, Parts } from '../stages.ts'
import type { FuzzInput, Route } from './route.ts'

const NOTHING = filled(0)
const BOOT_POLICY = JSON.stringify(bootPolicyOf(eventsOf(SHIM_GRUB)))
const BOOT_ENROLMENT = { measuredBoot: true, bootPolicy: BOOT_POLICY } as const

/** A machine that quotes the truth, and hands out whichever log it is given. */
interface Polled {
  readonly machine: PullMachine
  readonly truth: StubMachine
  log: Uint8Array | undefined
  /** What it quoted last, and over what. */
  quoted: { readonly quote: Quote; readonly nonce: Uint8Array } | undefined
}

async function polledMachine({ environment, ownId }: FuzzSession): Promise<Polled> {
  const { manufacturer, boot } = environment.factory
  const truth = await stubMachine({ name: 'polled', label: ownId(), manufacturer, boot })
  const quote: PullMachine['quote'] = async (request) => {
    const given = await truth.quote(request)
    polled.quoted = { quote: given, nonce: request.qualifyingData }
    return given
  }
  const uefi = Object.create(truth.uefi, { bytes: { get: () => polled.log ?? truth.uefi.bytes } })
  const polled: Polled = {
    machine: Object.assign(Object.create(truth) as StubMachine, { quote, uefi }),
    ...{ truth, log: undefined, quoted: undefined },
  }
  return polled
}

/** Its reading for the finding, by the harness. */
function contradictionsOfPoll({ truth, quoted }: Polled, bootLog: Uint8Array) {
  if (quoted === undefined) return []
  const { message, signature, blob } = quoted.quote
  return contradictionsOf({
    ...{ message, signature, pcrs: blob, key: truth.ak.public },
    ...{ nonces: [quoted.nonce], hashAlg: 'sha256' },
    list: { text: truth.ima.ascii(0), start: filled(32) },
    runtimePolicy: JSON.stringify(runtimePolicyOf(truth.ima.entries)),
    ...{ bootLog, bootPolicy: BOOT_POLICY },
  })
}

function mutatedLog({ truth }: Polled, steps: readonly MutationStep[]): Uint8Array {
  const [message, signature, pcrs, key, list] = Array.from({ length: 5 }, () => NOTHING)
  const parts = { message, signature, pcrs, key, list, bootLog: truth.uefi.bytes } as Parts
  return applyAt('parts', parts, steps).bootLog ?? NOTHING
}

const statusOf = (record: Reply): unknown => results(record, 'attestation_status')

function isJudged(record: Reply): boolean {
  return !isSuccess(record) || statusOf(record) === 'PASS' || statusOf(record) === 'FAIL'
}

/** What the record says after the poll; a verifier that comes to no verdict in its time hangs. */
function answerOfRecord(record: Reply): Answer {
  if (!isSuccess(record)) return answerOf(record, () => undefined)
  const status = statusOf(record)
  const line = `polled, then ${String(status)}`
  if (status === 'PASS') return { kind: 'passed', line, text: record.text }
  if (status === 'FAIL') return { kind: 'failed', line, text: record.text }
  return { kind: 'no answer', line: 'the poll came to no verdict in its time', text: record.text }
}

function additionOf({ machine, port, served }: PullAgent, { dialect }: VerifierClient) {
  const address = { ip: '127.0.0.1', port }
  return {
    ...enrolmentOf(machine, { ...BOOT_ENROLMENT, speaks: '2.5', address }, dialect),
    ...{ mtls_cert: served.certificate, tpm_policy: tpmPolicyOf(BOOT_ENROLMENT) },
  }
}

/**
 * GET quotes/integrity: a pull agent whose machine booted a scripted firmware is added, polled once and deleted again for
 * each mutated log; its quote is the truth. A case takes what a verifier takes to its first poll.
 */
export async function pollingRoute(
  session: FuzzSession,
  verifier: VerifierClient,
  mutations: readonly Mutation[],
): Promise<Route> {
  const fit = mutations.filter(({ stage }) => stage === 'parts')
  const polled = await polledMachine(session)
  const agent = await session.machines(verifier).pullAgent({
    ...{ machine: polled.machine, boots: [['reboot', SHIM_GRUB.name]] },
    until: 'listening',
  })
  session.cleanUp(() => verifier.deleteAgent(agent.id))
  const addition = additionOf(agent, verifier)
  const shots = new WeakMap<FuzzInput, readonly Contradiction[]>()
  return {
    name: 'GET quotes/integrity',
    mutations: fit,
    share: 1,
    async prepare(recipe) {
      const body = Buffer.from(mutatedLog(polled, mutationSteps(recipe, fit))).toString('base64')
      const input: FuzzInput = { recipe, body, says: () => shots.get(input) ?? [] }
      return input
    },
    async send(input) {
      polled.log = new Uint8Array(Buffer.from(input.body, 'base64'))
      polled.quoted = undefined
      const added = await verifier.addAgent(agent.id, addition)
      if (!isSuccess(added)) return answerOf(added, () => undefined)
      const record = await agent.recordOnce(isJudged)
      await verifier.deleteAgent(agent.id)
      shots.set(input, contradictionsOfPoll(polled, polled.log))
      return answerOfRecord(record)
    },
  }
}
