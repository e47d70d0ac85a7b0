import { isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import { thirdPartyEvidence } from '../../../conformance/client/agents/third-party-evidence.ts'
import { at, type Context } from '../../../conformance/scenario.ts'
import type { Script } from '../../../simulator/machine/script.ts'

/** Does the work once; rejects if the server does not do its part. */
export interface Once {
  (): Promise<void>
  /** Undoes what goes on meanwhile. */
  readonly end?: () => Promise<void>
}

/** Work of a server that is measured. */
export interface Work {
  readonly name: string
  readonly version: '2.5' | '3.0'
  readonly server: 'verifier' | 'registrar'
  /** A verifier of this mode does it; without one, one of push agents. */
  readonly mode?: 'pull'
  /** How often it is done in a round, after a tenth of that which is not counted. */
  readonly times: number
  /** How many clients do it at the same time; one if absent. */
  readonly clients?: number
  prepare(context: Context): Promise<Once>
}

/** Returns the body of a success; throws with the status of any other reply. */
function bodyOf(what: string, reply: Reply): unknown {
  if (isSuccess(reply)) return reply.body
  throw new Error(`${what} was answered with HTTP ${reply.status}`)
}

const NONCE = 'Tz4kWn8rQb2YvXc6LmHs'

/** Measures so many files. */
function filesOf(entries: number): Script {
  return Array.from(
    { length: entries },
    (_, number) => ['measure', `/usr/lib/part-${number}.so`] as const,
  )
}

interface EvidenceOptions extends Pick<Work, 'clients'> {
  /** Files that the machine measures behind the first entry of its boot. */
  readonly files: number
  /** With the firmware log of the boot. */
  readonly boot?: true
}

function evidenceWork(
  name: string,
  times: number,
  { files, boot, ...clients }: EvidenceOptions,
): Work {
  return {
    ...{ name: `verify/evidence, ${name}`, version: '2.5', server: 'verifier', times },
    ...clients,
    async prepare({ machines, verifier }) {
      const { machine } = await machines.lightAgent({ until: 'booted', entries: 1 })
      await machine.play(filesOf(files))
      const what = { quoted: NONCE, stated: NONCE, measuredBoot: boot === true }
      const evidence = await thirdPartyEvidence(machine, what)
      return async () => {
        const body = bodyOf('verify/evidence', await verifier.verifyEvidence(evidence))
        const failures = JSON.stringify(body).slice(0, 300)
        if (at(body, 'results', 'valid') !== true) throw new Error(`it is not valid: ${failures}`)
      }
    },
  }
}

/** Agents that are polled at the same time. */
const POLLED = 20

/** Much longer than any quote interval. */
const POLL_WITHIN_MS = 60_000

/** Polls of several agents, each with a quote and no list. */
const POLL: Work = {
  ...{ name: 'poll of an agent', version: '2.5', server: 'verifier', mode: 'pull', times: 200 },
  async prepare({ machines, verifier, until }) {
    const agents = await Promise.all(
      Array.from({ length: POLLED }, () => machines.pullAgent({ measured: false })),
    )
    const polls = () => agents.reduce((sum, agent) => sum + agent.polls.length, 0)
    let seen = polls()
    const once = async () => {
      if (!(await until(() => polls() > seen, { withinMs: POLL_WITHIN_MS })))
        throw new Error(`no poll came in ${POLL_WITHIN_MS} ms`)
      seen++
    }
    const end = async () => {
      for (const { id } of agents) await verifier.deleteAgent(id)
    }
    return Object.assign(once, { end })
  },
}

const GET_AGENT: Work = {
  ...{ name: 'GET agent', version: '2.5', server: 'verifier', times: 300 },
  async prepare({ machines, verifier }) {
    const { id } = await machines.lightAgent({ until: 'enrolled' })
    return async () => {
      bodyOf('GET agent', await verifier.readAgent(id))
    }
  },
}

/** What both implementations do, from the shortest to the longest. */
export const WORKS: readonly Work[] = [
  evidenceWork('a quote', 300, { files: 0 }),
  evidenceWork('a quote, eight clients', 400, { files: 0, clients: 8 }),
  evidenceWork('1,000 entries', 40, { files: 1000 }),
  evidenceWork('10,000 entries', 10, { files: 10_000 }),
  evidenceWork('a boot log', 40, { files: 0, boot: true }),
  GET_AGENT,
  { ...GET_AGENT, name: 'GET agent, eight clients', times: 800, clients: 8 },
  {
    ...{ name: 'registration and activation', version: '2.5', server: 'registrar', times: 60 },
    prepare:
      async ({ machines }) =>
      async () => {
        await machines.lightAgent({ until: 'activated' })
      },
  },
  {
    ...{ name: 'session', version: '3.0', server: 'verifier', times: 30 },
    async prepare({ machines }) {
      const agent = await machines.lightAgent()
      return () => agent.logIn()
    },
  },
  {
    ...{ name: 'push attestation', version: '3.0', server: 'verifier', times: 10 },
    async prepare({ machines }) {
      const agent = await machines.lightAgent()
      return async () => {
        bodyOf('the attestation', await agent.attest())
      }
    },
  },
  POLL,
]
