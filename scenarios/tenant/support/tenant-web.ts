import { isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { TenantStage } from '../../../conformance/peers/tenants.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { openPayload, tenantKeys, tenantOperations } from './tenant-operations.ts'

const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => base64(new TextEncoder().encode(text)),
  (text) => text,
]

interface AddedByWeb {
  readonly stage: TenantStage
  readonly reply: Reply
  readonly keys: ReturnType<typeof tenantKeys>
  /** The payload that the agent received, opened with K. */
  readonly payload: string | undefined
}

/**
 * Adds an agent by the web application, with files in base64 or as texts: the document does not show their encoding. Returns
 * the first addition that is accepted, or the last one.
 */
export async function addByWeb(
  { tenants }: Pick<Context, 'tenants'>,
  bodyOf: (encode: (text: string) => string) => object,
): Promise<AddedByWeb> {
  const [encode, ...others] = ENCODINGS
  const add = async (encoding: (text: string) => string) => {
    const stage = await tenants.stage()
    const web = await stage.web()
    const body = { ip: '127.0.0.1', ...bodyOf(encoding) }
    const reply = await web.ask('POST', `/agents/${stage.agentId}`, { body })
    return { stage, reply }
  }
  let last = await add(encode ?? ((text) => text))
  for (const other of others) if (!isSuccess(last.reply)) last = await add(other)
  const { added, ukey } = tenantOperations(last.stage)
  const keys = tenantKeys(last.stage, added[0] ?? {})
  return { ...last, keys, payload: openPayload(keys.k, ukey['payload']) }
}

/** The first text in the results of a list of logs. */
export function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const one of Object.values(value)) {
    const text = firstText(one)
    if (text !== undefined) return text
  }
  return undefined
}
