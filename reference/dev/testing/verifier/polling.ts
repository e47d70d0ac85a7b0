import { expect, vi } from 'vitest'
import type { VerifierOperation } from '../../../api/routes/verifier.ts'
import type { LookUpHost } from '../../../http-client/look-up-registration.ts'
import type { AgentRow } from '../../../storage/databases/database.ts'
import type { PullRules } from '../../../verifier/pull/pull-rules.ts'
import type { Alarm } from '../../../verifier/pull/schedule.ts'
import { type PullAgent, VERIFIER } from '../pull-agent.ts'
import { AGENT } from './push-requests.ts'
import { type TestVerifier, testVerifier } from './test-verifier.ts'

/** A verifier that asks agents over TLS, by a clock that the test moves. */
export interface Polling {
  readonly verifier: TestVerifier
  add(agent: PullAgent, change?: Readonly<Record<string, unknown>>): Promise<void>
  ask(operation: VerifierOperation): Promise<unknown>
  /** The stored record of the agent. */
  stored(): Promise<AgentRow | undefined>
  /** The outcome of each request to an agent. */
  readonly events: readonly string[]
  /** The status record. */
  record(): Promise<Readonly<Record<string, unknown>>>
  /** Advances the time, in seconds. */
  pass(seconds: number): Promise<void>
  /** Advances by intervals until that many quotes have passed. */
  passes(count: number): Promise<void>
  /** Advances the time until the agent is in a state. */
  settles(state: number): Promise<void>
}

export async function polling(
  settings: readonly string[] = [],
  rules: Partial<PullRules> = {},
  lookUpHost?: LookUpHost,
): Promise<Polling> {
  const alarms = handAlarms()
  const events: string[] = []
  const metrics = { polled: (event: string) => void events.push(event) }
  const verifier = await testVerifier({
    settings,
    polling: {
      ...{ alarm: alarms.alarm, identity: VERIFIER, rules, metrics },
      ...(lookUpHost && { lookUpHost }),
    },
  })
  const record = async () => {
    const { body } = await verifier.ask('read-agent', { agent_id: AGENT })
    return body as Readonly<Record<string, unknown>>
  }
  const pass = async (seconds: number): Promise<void> => {
    verifier.clock.pass(seconds)
    alarms.ring()
    await verifier.polls.settled()
  }
  const until = (assertion: () => Promise<void>) =>
    vi.waitFor(
      async () => {
        await pass(1)
        await assertion()
      },
      { timeout: 5000, interval: 1 },
    )
  return {
    verifier,
    events,
    stored: () => verifier.store.agents.find(AGENT),
    record,
    pass,
    add: async (agent, change) => {
      await verifier.ask('add-agent', { agent_id: AGENT }, agent.request(change))
      await pass(0)
    },
    ask: (operation) => verifier.ask(operation, { agent_id: AGENT }),
    passes: (count) =>
      until(async () =>
        expect(await record()).toMatchObject({ attestation_count: count, operational_state: 3 }),
      ),
    settles: (state) =>
      until(async () => expect(await record()).toMatchObject({ operational_state: state })),
  }
}

/** Alarms that fire when the test triggers them. */
function handAlarms(): { readonly alarm: Alarm; ring(): void } {
  const waiting = new Set<() => void>()
  return {
    alarm: (_, ring) => {
      waiting.add(ring)
      return () => waiting.delete(ring)
    },
    ring: () => {
      const now = [...waiting]
      waiting.clear()
      for (const ring of now) ring()
    },
  }
}
