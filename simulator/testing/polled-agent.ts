import { Agent, request } from 'node:https'
import { onTestFinished } from 'vitest'
import {
  type PullAgentOptions,
  type ScriptedPullAgent,
  startPullAgent,
} from '../agents/pull-agent.ts'
import type { MisbehaviourName, PullScript } from '../agents/pull-script.ts'
import { makeServerCertificate } from '../agents/server-certificate.ts'
import type { PullMachine } from '../machine/pull-machine.ts'
import { stubMachine } from '../machine/stub-machine.ts'
import { loadRecordedBoot } from '../platform/recorded-boot.ts'
import { createManufacturer } from '../swtpm/manufacturer.ts'
import { FULL_BOOT } from '../vectors/fixtures.ts'
import { makeClientAuthority } from './client-authority.ts'

export const AGENT_ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
export const NONCE = 'Ab3dEfGh1jKlMnOpQrSt'
/** A first poll for PCR 10. */
export const POLL = `/v2.5/quotes/integrity?nonce=${NONCE}&mask=0x400&partial=0&ima_ml_entry=0`

const manufacturer = await createManufacturer({ now: new Date() })
const boot = await loadRecordedBoot(FULL_BOOT)
const clients = await makeClientAuthority()
const certificate = await makeServerCertificate(AGENT_ID, Date.now())
const otherCertificate = await makeServerCertificate(AGENT_ID, Date.now())

/** Creates a machine of the recorded boot without a TPM. */
export function machineWithoutTpm(): Promise<PullMachine> {
  return stubMachine({ name: 'agent', boot, manufacturer })
}

/** Starts an agent until the end of the test; default: honest and without a TPM. */
export async function started(options: Partial<PullAgentOptions> = {}): Promise<ScriptedPullAgent> {
  const machine = options.machine ?? (await machineWithoutTpm())
  const agent = await startPullAgent({
    ...{ agentId: AGENT_ID, machine, certificate, otherCertificate, clientCa: clients.ca },
    ...{ versions: ['2.1', '2.4', '2.5'], now: Date.now, ...options },
  })
  onTestFinished(() => agent.close())
  return agent
}

/** A script with one misbehaviour from the first poll on. */
export const does = (name: MisbehaviourName): PullScript => [{ does: name, from: 1 }]

/** A received answer; `results` is empty if there are none. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly results: Record<string, unknown>
}

/** Unusual parts of a request. */
interface Asking {
  readonly method?: string
  readonly body?: unknown
  /** Sends no certificate. */
  readonly isAnonymous?: true
  readonly agent?: Agent
}

/** Sends a request as a verifier that trusts only the agent's certificate. */
export function ask(
  { port }: ScriptedPullAgent,
  path: string,
  asking: Asking = {},
): Promise<Answer> {
  const { method = 'GET', body, isAnonymous, agent = new Agent({ maxCachedSessions: 0 }) } = asking
  const shown = isAnonymous ? {} : { cert: clients.certificate, key: clients.key }
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path, method, agent, ca: certificate.certificate },
        ...shown,
        checkServerIdentity: () => undefined,
        timeout: 2000,
      },
      (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (piece) => {
          received += piece
        })
        response.on('error', reject)
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            text: received,
            results: resultsOf(received),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function resultsOf(received: string): Record<string, unknown> {
  try {
    return JSON.parse(received)?.results ?? {}
  } catch {
    return {}
  }
}

/** Returns message, signature and PCR blob of the quote in an answer. */
export function partsOf({ results }: Pick<Answer, 'results'>): readonly Uint8Array[] {
  const parts = String(results['quote']).slice(1).split(':')
  return parts.map((part) => new Uint8Array(Buffer.from(part, 'base64')))
}
