import { inflateSync } from 'node:zlib'
import { listOf, results } from '../../../conformance/attempt/reply.ts'
import { base64, unbase64 } from '../../../conformance/client/bytes.ts'
import type { PullAgent } from '../../../conformance/peers/pull-agent.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { parseTpm2bPublic } from '../../../simulator/tpm/public.ts'

const BEFORE_21: ReadonlySet<string> = new Set(['1.0', '2.0'])

/** The shared agent. Ends the scenario as not applicable if the version is before 2.1, and not in the agent's list. */
export async function agentOfVersion({
  pullAgents,
  version,
  notApplicable,
}: Pick<Context, 'pullAgents' | 'version' | 'notApplicable'>): Promise<PullAgent> {
  const agent = await pullAgents.shared()
  if (!BEFORE_21.has(version)) return agent
  const listed = listOf(results(await agent.ask('GET', '/version'), 'supported_versions'))
  if (listed !== undefined && !listed.includes(version))
    notApplicable(`the agent lists its versions, and not ${version}`)
  return agent
}

/** Whether a text is a TPM2B_PUBLIC in base64. */
export function isPublicArea(text: string): boolean {
  return attempt(() => parseTpm2bPublic(unbase64(text)).type) !== undefined
}

/** Decompresses a quote of API 1.0, each part or the whole; undefined if zlib did not compress it. */
export function inflateQuote(text: string): string | undefined {
  const whole = text.replace(/^r/, '')
  return attempt(() => inflated(whole)) ?? attempt(() => new TextDecoder().decode(unpack(whole)))
}

function inflated(parts: string): string {
  return `r${parts
    .split(':')
    .map((part) => base64(unpack(part)))
    .join(':')}`
}

function unpack(part: string): Uint8Array {
  return inflateSync(unbase64(part))
}

function attempt(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
