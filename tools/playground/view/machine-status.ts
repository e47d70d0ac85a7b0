import type { AgentKind, Verdict } from '../agent-kinds.ts'
import { isFailed, nameOfState } from '../operational-states.ts'
import type { PlaygroundMachine } from '../playground-machine.ts'
import type { LatestAttestation, Servers, StatusRecord } from '../servers.ts'

/** What is seen of a machine, from both sides. */
export interface MachineStatus {
  readonly name: string
  readonly kind: AgentKind
  readonly agentId: string
  /** `runs`, `stopped`, or how it ended by itself. */
  readonly agent: string
  readonly network: 'up' | 'cut'
  readonly verdict: Verdict
  readonly state: string
  /** How many of its attestations passed. */
  readonly passes: number
  /** When evidence of it was received last, in seconds since 1970; undefined for never. */
  readonly heardAt: number | undefined
  /** Why it failed, in the words of the verifier; empty for no failure. */
  readonly why: string
}

/** Looks at a machine and asks the verifier about its agent; one that does not answer says `unknown`. */
export async function statusOf(
  machine: PlaygroundMachine,
  servers: Servers,
): Promise<MachineStatus> {
  const { name, kind, agentId } = machine
  const [status, latest] = await Promise.all([
    servers.status(agentId).catch(asTrouble),
    kind === 'push' ? servers.latestAttestation(agentId).catch(() => undefined) : undefined,
  ])
  return {
    ...{ name, kind, agentId },
    agent: machine.agent === undefined ? 'stopped' : (machine.agent.ending() ?? 'runs'),
    network: machine.isConnected ? 'up' : 'cut',
    ...verdictOf(status, latest),
  }
}

type VerdictStatus = Pick<MachineStatus, 'verdict' | 'state' | 'passes' | 'heardAt' | 'why'>

const NOTHING: VerdictStatus = {
  verdict: 'unknown',
  state: '–',
  passes: 0,
  heardAt: undefined,
  why: '',
}

function asTrouble(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function verdictOf(
  status: StatusRecord | Error | undefined,
  latest: LatestAttestation | undefined,
): VerdictStatus {
  if (status instanceof Error) return { ...NOTHING, why: 'the verifier does not answer' }
  if (status === undefined) return { ...NOTHING, why: 'the verifier does not know it' }
  const { operational_state: state, attestation_count, last_received_quote: received } = status
  const verdict = asVerdict(status)
  return {
    verdict,
    state: nameOfState(state),
    passes: Number(attestation_count ?? 0),
    heardAt: typeof received === 'number' && received > 0 ? received : undefined,
    why: verdict === 'FAIL' ? reasonOf(status, latest) : '',
  }
}

/** `attestation_status`, or before 2.5 what the other members say. */
function asVerdict(status: StatusRecord): Verdict {
  const { attestation_status: said, operational_state, attestation_count } = status
  if (said === 'PASS' || said === 'FAIL' || said === 'PENDING') return said
  if (isFailed(operational_state)) return 'FAIL'
  return Number(attestation_count ?? 0) > 0 ? 'PASS' : 'PENDING'
}

/** Of an agent that failed for nothing that it said. */
export const SILENT = 'no evidence came in time'

function reasonOf(
  { last_event_id: event }: StatusRecord,
  latest: LatestAttestation | undefined,
): string {
  const said = latest?.evaluation === 'fail' ? latest.failure_reason : undefined
  const words = [said, event].filter((word) => typeof word === 'string' && word !== '')
  return words.length === 0 ? SILENT : words.join(': ')
}
