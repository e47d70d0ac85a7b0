import { PrerequisiteFailed } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import { isSuccess, type Reply } from '../attempt/reply.ts'
import type { Slot } from '../attempt/slots.ts'
import { prefixesOf } from '../catalogue/routes/operations.ts'
import type { HttpsClient } from '../client/https-client.ts'
import { ANONYMOUS, type Credentials } from '../client/identity.ts'
import { presentDuration } from '../input/duration.ts'
import { type StartedSubject, startSubject } from '../target/deployment/start-subject.ts'
import { freePorts, isListening } from '../target/processes/free-port.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import { lastOutput } from '../target/processes/spawn-recorded.ts'
import type { TenantWebWord, TenantWord } from '../target/subject-placeholders.ts'
import type { Target } from '../target/target.ts'
import type { HarnessAuthority } from './harness-authority.ts'

/** The web application of a tenant, running. */
export interface TenantWeb {
  /** Sends a request below `/v2` as the administrator. */
  ask(method: string, path: string, body?: unknown): Promise<Reply>
  /** The same without a certificate. */
  askAsStranger(method: string, path: string): Promise<Reply>
}

interface TenantWebOptions {
  readonly target: Target
  readonly run: RunDirectory
  readonly authority: HarnessAuthority
  readonly agentId: string
  /** Where its servers are. */
  readonly words: Readonly<Record<TenantWord, string>>
  readonly clientOf: (certificate: string) => HttpsClient
  readonly slot: Slot
  readonly onCleanup: (step: () => Promise<void>) => void
}

const POLL_MS = 25

/** Starts the web application, and waits until it listens. @throws {PrerequisiteFailed} if it does not */
export async function startTenantWeb(options: TenantWebOptions): Promise<TenantWeb> {
  const { target, run, authority, agentId, slot } = options
  const { files, issuer, admin } = authority
  const [port = 0] = await freePorts(1)
  const words: Readonly<Record<TenantWebWord, string>> = {
    ...options.words,
    'web.port': String(port),
    server_cert: files.server.certificate,
    server_key: files.server.key,
  }
  const running = await startSubject(target, run, 'tenant_web', { agentId, ca: files.ca, words })
  options.onCleanup(() => running.stop())
  await slot.rest(() => awaitListening(running, port))
  const client = options.clientOf(issuer.certificate)
  const send = (credentials: Credentials, method: string, path: string, body?: unknown) =>
    client.exchange({
      ...{ method, credentials, url: `https://127.0.0.1:${port}${path}` },
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
  const prefix = await prefixOf((path) => send(admin, 'GET', path))
  return {
    ask: (method, path, body) => send(admin, method, `${prefix}${path}`, body),
    askAsStranger: (method, path) => send(ANONYMOUS, method, `${prefix}${path}`),
  }
}

/** The prefix of API 2.0 under which it lists agents. */
async function prefixOf(get: (path: string) => Promise<Reply>): Promise<string> {
  const [first = '', ...others] = prefixesOf('tenant', '2.0')
  if (isSuccess(await get(`${first}/agents/`))) return first
  for (const other of others) if (isSuccess(await get(`${other}/agents/`))) return other
  return first
}

async function awaitListening(running: StartedSubject, port: number): Promise<void> {
  const { exitReason, withinMs } = running
  const isUp = async () => exitReason() !== undefined || (await isListening(port))
  const isReady = (await until(isUp, { withinMs, everyMs: POLL_MS })) && exitReason() === undefined
  if (isReady) return
  const why = exitReason() ?? `did not listen at port ${port} within ${presentDuration(withinMs)}`
  throw new PrerequisiteFailed(`the web application ${why}: ${lastOutput(running)}`)
}
