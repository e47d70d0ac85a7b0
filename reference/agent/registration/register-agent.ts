import { setTimeout as delay } from 'node:timers/promises'
import type { ReplyShape } from '../../api/reply-shape.ts'
import type { AgentConfig } from '../../config/config.ts'
import { jsonClient } from '../../http-client/json-client.ts'
import type { Attester } from '../attester/attester.ts'
import { type DeepQuoting, register } from './register.ts'
import type { Registration } from './registration-request.ts'

export interface RegisterAgentRequest {
  readonly config: AgentConfig
  readonly agentId: string
  readonly attester: Attester
  /** PEM of the agent's server certificate. */
  readonly serverCertificate: string
  /** PEM of the authorities that the registrar may be of; not needed without TLS. */
  readonly ca: string
  readonly form: ReplyShape<Registration>
  readonly deepQuote?: DeepQuoting | undefined
  warn(sentence: string): void
}

/** Milliseconds, and bytes, that an answer of the registrar may take. */
const TIMEOUT = 30_000
const LARGEST_ANSWER = 1_048_576

/** Registers the agent that the settings describe, and waits for the registrar as long as they say. */
export async function registerAgent(request: RegisterAgentRequest): Promise<void> {
  const { config, attester } = request
  const registrar = jsonClient({
    ...{ host: config.registrar_ip, port: config.registrar_port },
    ...(config.registrar_tls_enabled && { trust: { ca: request.ca } }),
    ...{ timeoutMs: TIMEOUT, maxBytes: LARGEST_ANSWER },
  })
  const backoff = {
    initialDelay: config.exponential_backoff_initial_delay,
    maxRetries: config.exponential_backoff_max_retries,
    maxDelay: config.exponential_backoff_max_delay,
  }
  const onPause = (why: string, ms: number) =>
    request.warn(`${why}; trying again in ${ms / 1000} s`)
  try {
    await register(
      {
        ...{ registrar, attester, request: request.form },
        deepQuote: request.deepQuote,
        versions: config.registrar_api_versions,
        retrying: { backoff, wait: delay, onPause },
      },
      registrationOf(request),
    )
  } finally {
    registrar.close()
  }
}

function registrationOf({
  config,
  agentId,
  attester,
  serverCertificate,
}: RegisterAgentRequest): Registration {
  const { akPublic, ekPublic, ekCertificate } = attester
  return {
    ...{ agentId, akPublic, ekPublic, ekCertificate, serverCertificate },
    contactIp: config.contact_ip,
    contactPort: config.contact_port === 0 ? config.port : config.contact_port,
  }
}
