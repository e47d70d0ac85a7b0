import type { ScriptedVerifier } from '../../simulator/services/scripted-verifier.ts'
import type { PushAgentWord } from '../target/subject-placeholders.ts'
import type { Target } from '../target/target.ts'
import { agentWords, type FoundByAgent } from './agent-placeholders.ts'

/** How often an agent is to attest, and how long it is to wait. */
export interface Pace {
  /** Seconds between attestations that it is told to leave, where its command takes that. */
  readonly interval: number
  /** Milliseconds of its first wait after a failure, and of its longest. */
  readonly backoff: number
  readonly backoffMax: number
}

/** What an agent was told; a member of `taken` is false where its command has no place for it. */
export interface Patience extends Pace {
  readonly taken: Readonly<Record<'interval' | 'backoff' | 'backoff_max', boolean>>
}

const DEFAULTS: Pace = { interval: 1, backoff: 100, backoffMax: 400 }

/** What the agent of a target is told of its patience. */
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

/** What a push agent finds when it starts. */
export interface Found extends FoundByAgent {
  readonly verifier: ScriptedVerifier
  readonly patience: Patience
}

/** Where the agent finds everything, in the words of a target file. */
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
