/** Interface document, "Authorization framework": the four categories of the `simple` provider. */
export type Category = 'public' | 'agent-only' | 'agent-or-admin' | 'admin'

/**
 * Every operation of the verifier and the registrar with its category; a pull agent and the tenant's web application use the same categories. Attestation reads are agent-or-admin: the
 * sentence below the category table says that they accept an admin or the agent's own token.
 */
export const ACTIONS = {
  read_version: 'public',
  verify_evidence: 'public',
  verify_identity: 'public',
  create_session: 'public',
  complete_session: 'public',
  register_agent: 'public',
  activate_agent: 'public',
  submit_attestation: 'agent-only',
  read_agent: 'agent-or-admin',
  read_attestations: 'agent-or-admin',
  list_agents: 'admin',
  create_agent: 'admin',
  delete_agent: 'admin',
  stop_agent: 'admin',
  reactivate_agent: 'admin',
  create_runtime_policy: 'admin',
  read_runtime_policy: 'admin',
  list_runtime_policies: 'admin',
  replace_runtime_policy: 'admin',
  delete_runtime_policy: 'admin',
  create_boot_policy: 'admin',
  read_boot_policy: 'admin',
  list_boot_policies: 'admin',
  replace_boot_policy: 'admin',
  delete_boot_policy: 'admin',
  list_registrations: 'admin',
  read_registration: 'admin',
  delete_registration: 'admin',
  ask_agent: 'admin',
  use_tenant: 'admin',
} as const satisfies Record<string, Category>

export type Action = keyof typeof ACTIONS
