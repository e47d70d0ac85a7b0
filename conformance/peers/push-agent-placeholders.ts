import type { ScriptedVerifier } from '../../simulator/services/scripted-verifier.ts'
import type { PushAgentWord } from '../target/subject-placeholders.ts'
import type { Target } from '../target/target.ts'
import { agentWords, type FoundByAgent } from './agent-placeholders.ts'

/** The configured attestation interval and backoff of an agent. */
export interface Pace {
  /** Seconds between attestations. */
  readonly interval: number
  /** First and longest wait after a failure, in milliseconds. */
  readonly backoff: number
  readonly backoffMax: number
}

/** The timing of an agent; a member of `taken` is false if its command has no placeholder for the value. */
export interface Patience extends Pace {
  readonly taken: Readonly<Record<'interval' | 'backoff' | 'backoff_max', boolean>>
}

const DEFAULTS: Pace = { interval: 1, backoff: 100, backoffMax: 400 }

/** The timing of a target's push agent. */
export function patienceOf({ subjects }: Target, pace: Partial<Pace>): Patience {
  const { command = [], env = {} } = subjects.find(({ role }) => role === 'push_agent') ?? {}
  const text = [...command, ...Object.values(env)].join('\n')
  const taken = (word: string) => text.includes(`\${${word}}`)
  const { interval, backoff, backoffMax } = { ...DEFAULTS, ...pace }
  return {
    ...{ interval, backoff, backoffMax },
    taken: {
      interval: taken('interval'),
      backoff: taken('backoff'),
      backoff_max: taken('backoff_max'),
    },
  }
}

/** The environment of a push agent. */
interface Found extends FoundByAgent {
  readonly verifier: ScriptedVerifier
  readonly patience: Patience
}

/** Values of the target file placeholders. */
export async function wordsOf(found: Found): Promise<Readonly<Record<PushAgentWord, string>>> {
  const { verifier, patience } = found
  return {
    ...(await agentWords(found)),
    'verifier.host': '127.0.0.1',
    'verifier.port': String(verifier.tlsPort),
    interval: String(patience.interval),
    backoff: String(patience.backoff),
    backoff_max: String(patience.backoffMax),
  }
}
