import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { shareRegistrations } from '../../dev/testing/storage/open-store.ts'
import { registrationRow } from '../../dev/testing/storage/rows.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { tenantOfBoth } from './run-tenant.ts'
import { AGENT_ID, type AgentChange, stubAgent } from './stub-agent.ts'

const { ekcert, ek } = KEYS

/** Real servers and a registered pull agent; by default the maker of its TPM is not checked. */
export async function scene(
  change: AgentChange = {},
  record: Readonly<Record<string, unknown>> = {},
) {
  const both = await tenantOfBoth()
  const ca = readFileSync(join(both.state_dir, 'cv_ca/cacert.crt'), 'utf8')
  const agent = await stubAgent(ca, change)
  agent.askV = async () => (await statusOf(both)).v ?? null
  const store = shareRegistrations(join(both.state_dir, 'registrar.sqlite'))
  const row = registrationRow({
    ...{ agent_id: AGENT_ID, active: 1, ekcert, ek_tpm: ek },
    ...{ ip: '127.0.0.1', port: agent.port, ...agent.registration, ...record },
  })
  await store.change(AGENT_ID, () => row)
  const say = (...words: string[]) => both.say(...words, '--set', 'require_ek_cert=False')
  return { ...both, agent, say, strictly: both.say, status: () => statusOf(both) }
}

type Status = Readonly<Record<string, string | number>> & { readonly v?: string | null }

async function statusOf({ ask }: Pick<Awaited<ReturnType<typeof tenantOfBoth>>, 'ask'>) {
  const { body } = await ask('verifier', `/v2.5/agents/${AGENT_ID}`, { admin: true })
  return (body as { readonly results: Status }).results
}

/** The path of a file with this content. */
export function file(content: string): string {
  const path = join(temporaryDirectory(), 'file')
  writeFileSync(path, content)
  return path
}

/** The requests to a pull agent while it is added, in a version of this interface. */
export const ORDER = [
  'GET /version',
  'GET /v2.5/quotes/identity',
  'POST /v2.5/keys/ukey',
  'GET /v2.5/keys/verify',
]
