import type { AgentKind, Verdict } from '../agent-kinds.ts'
import { isFailed, nameOfState } from '../operational-states.ts'
import type { PlaygroundMachine } from '../playground-machine.ts'
import type { LatestAttestation, Servers, StatusRecord } from '../servers.ts'

/** Status of a machine: its agent, and the verifier's record. */
export interface MachineStatus {
  readonly name: string
  readonly kind: AgentKind
  readonly agentId: string
  /** `runs`, `stopped`, or how the agent exited. */
  readonly agent: string
  readonly network: 'up' | 'cut'
  readonly verdict: Verdict
  readonly state: string
  /** Number of passed attestations. */
  readonly passes: number
  /** Time of the last received evidence, in seconds since 1970; undefined if there was none. */
  readonly receivedAt: number | undefined
  /** The verifier's reason for the failure; empty without a failure. */
  readonly why: string
}

/** Reads the status of a machine and its agent; the verdict is `unknown` if the verifier does not respond. */
export async function statusOf(
  machine: PlaygroundMachine,
  servers: Servers,
): Promise<MachineStatus> {
  const { name, kind, agentId } = machine
  const [status, latest] = await Promise.all([
    servers.status(agentId).catch(asError),
    kind === 'push' ? servers.latestAttestation(agentId).catch(() => undefined) : undefined,
  ])
  return {
    ...{ name, kind, agentId },
    agent: machine.agent === undefined ? 'stopped' : (machine.agent.exitReason() ?? 'runs'),
    network: machine.isConnected ? 'up' : 'cut',
    ...verdictOf(status, latest),
  }
}

type VerdictStatus = Pick<MachineStatus, 'verdict' | 'state' | 'passes' | 'receivedAt' | 'why'>

const NOTHING: VerdictStatus = {
  verdict: 'unknown',
  state: '–',
  passes: 0,
  receivedAt: undefined,
  why: '',
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function verdictOf(
  status: StatusRecord | Error | undefined,
  latest: LatestAttestation | undefined,
): VerdictStatus {
  if (status instanceof Error) return { ...NOTHING, why: 'the verifier does not respond' }
  if (status === undefined) return { ...NOTHING, why: 'the verifier does not know the agent' }
  const { operational_state: state, attestation_count, last_received_quote: received } = status
  const verdict = asVerdict(status)
  return {
    verdict,
    state: nameOfState(state),
    passes: Number(attestation_count ?? 0),
    receivedAt: typeof received === 'number' && received > 0 ? received : undefined,
    why: verdict === 'FAIL' ? reasonOf(status, latest) : '',
  }
}

/** `attestation_status`, which exists since 2.5; before, the verdict follows from the other members. */
function asVerdict(status: StatusRecord): Verdict {
  const { attestation_status: stated, operational_state, attestation_count } = status
  if (stated === 'PASS' || stated === 'FAIL' || stated === 'PENDING') return stated
  if (isFailed(operational_state)) return 'FAIL'
  return Number(attestation_count ?? 0) > 0 ? 'PASS' : 'PENDING'
}

/** Reason for an agent that failed without failed evidence. */
export const SILENT = 'no evidence came in time'

function reasonOf(
  { last_event_id: event }: StatusRecord,
  latest: LatestAttestation | undefined,
): string {
  const reason = latest?.evaluation === 'fail' ? latest.failure_reason : undefined
  const parts = [reason, event].filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? SILENT : parts.join(': ')
}
