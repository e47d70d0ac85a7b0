import { expect, test } from 'vitest'
import { ACTIONS, type Action } from './actions.ts'
import type { Identity } from './identity.ts'
import { simpleProvider } from './simple.ts'

const IDENTITIES = {
  anonymous: { type: 'anonymous' },
  'bad credential': { type: 'anonymous', refusedCredential: 'Invalid authentication token' },
  admin: { type: 'admin', name: 'client' },
  'own agent': { type: 'agent', agentId: 'a' },
  'other agent': { type: 'agent', agentId: 'b' },
} as const satisfies Record<string, Identity>

type Who = keyof typeof IDENTITIES

const ALL = Object.keys(IDENTITIES) as Who[]

/** A second reading of the document's category table and of the sentence below it. */
const ALLOWED: Readonly<Record<Action, readonly Who[]>> = {
  read_version: ALL,
  verify_evidence: ALL,
  verify_identity: ALL,
  create_session: ALL,
  complete_session: ALL,
  register_agent: ALL,
  activate_agent: ALL,
  submit_attestation: ['own agent'],
  read_agent: ['admin', 'own agent'],
  read_attestations: ['admin', 'own agent'],
  list_agents: ['admin'],
  create_agent: ['admin'],
  delete_agent: ['admin'],
  stop_agent: ['admin'],
  reactivate_agent: ['admin'],
  create_runtime_policy: ['admin'],
  read_runtime_policy: ['admin'],
  list_runtime_policies: ['admin'],
  replace_runtime_policy: ['admin'],
  delete_runtime_policy: ['admin'],
  create_boot_policy: ['admin'],
  read_boot_policy: ['admin'],
  list_boot_policies: ['admin'],
  replace_boot_policy: ['admin'],
  delete_boot_policy: ['admin'],
  list_registrations: ['admin'],
  read_registration: ['admin'],
  delete_registration: ['admin'],
  ask_agent: ['admin'],
  use_tenant: ['admin'],
}

const CASES = (Object.keys(ACTIONS) as Action[]).flatMap((action) =>
  ALL.map((who) => ({ action, who, allowed: ALLOWED[action].includes(who) })),
)

const provider = simpleProvider()

test.each(CASES)('$action by $who: allowed is $allowed', ({ action, who, allowed }) => {
  const question = { identity: IDENTITIES[who], action, agentId: 'a' }
  expect(provider.allows(question)).toBe(allowed)
})

test('an agent owns nothing on a path that names no agent', () => {
  const question = { identity: IDENTITIES['own agent'], agentId: undefined } as const
  expect(provider.allows({ ...question, action: 'submit_attestation' })).toBe(false)
  expect(provider.allows({ ...question, action: 'read_agent' })).toBe(false)
})

test('an agent owns the resource of its very own spelling only', () => {
  const question = { identity: IDENTITIES['own agent'], action: 'submit_attestation' } as const
  expect(provider.allows({ ...question, agentId: 'A' })).toBe(false)
  expect(provider.allows({ ...question, agentId: 'a ' })).toBe(false)
})
