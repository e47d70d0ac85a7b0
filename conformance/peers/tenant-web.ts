import { PrerequisiteFailed } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import { isSuccess, type Reply } from '../attempt/reply.ts'
import { prefixesOf } from '../catalogue/routes/operations.ts'
import type { HttpsClient } from '../client/https-client.ts'
import type { Credentials } from '../client/identity.ts'
import { startSubject } from '../target/deployment/start-subject.ts'
import { freePorts } from '../target/processes/free-port.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import { lastOutput } from '../target/processes/spawn-recorded.ts'
import type { Target } from '../target/target.ts'
import type { HarnessAuthority } from './harness-authority.ts'
import { answers } from './pull-agent-process.ts'

/** Client of the web application of a tenant. */
export interface TenantWeb {
  /** Requests a path below the prefix of API 2.0, as an administrator unless `as` names other credentials. */
  ask(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly as?: Credentials },
  ): Promise<Reply>
}

interface WebSurroundings {
  readonly target: Target
  readonly run: RunDirectory
  readonly authority: HarnessAuthority
  /** The command in the target file. */
  readonly command: readonly string[]
  readonly agentId: string
  readonly words: Readonly<Record<string, string>>
  /** A client that accepts only this server certificate. */
  readonly clientOf: (certificate: string) => HttpsClient
  readonly onCleanup: (step: () => Promise<void>) => void
}

const POLL_MS = 25

/** Starts the web application of a tenant. @throws {PrerequisiteFailed} if it exits, or does not answer in time */
export async function startTenantWeb(surroundings: WebSurroundings): Promise<TenantWeb> {
  const { target, run, authority, command, agentId, words, clientOf, onCleanup } = surroundings
  const [port = 0] = await freePorts(1)
  const process = await startSubject(target, run, 'tenant', {
    ...{ agentId, command, ca: authority.files.ca },
    words: { ...words, 'web.port': String(port) },
  })
  onCleanup(() => process.stop())
  const isUp = () => answers(port, authority)
  const isSettled = async () => process.exitReason() !== undefined || (await isUp())
  await until(isSettled, { withinMs: process.withinMs, everyMs: POLL_MS })
  if (!(await isUp()))
    throw new PrerequisiteFailed(
      `the web application ${process.exitReason() ?? 'did not answer in time'}: ${lastOutput(process)}`,
    )
  const client = clientOf(authority.issuer.certificate)
  const exchange = (method: string, path: string, as: Credentials, body?: unknown) =>
    client.exchange({
      ...{ method, credentials: as, url: `https://127.0.0.1:${port}${path}` },
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
  const [first = '', ...others] = prefixesOf('tenant', '2.0')
  let prefix = first
  for (const other of others) {
    if (isSuccess(await exchange('GET', `${prefix}/agents/`, authority.admin))) break
    prefix = other
  }
  return {
    ask: (method, path, { body, as = authority.admin } = {}) =>
      exchange(method, `${prefix}${path}`, as, body),
  }
}
