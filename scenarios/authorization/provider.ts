import { ANONYMOUS, REFUSED, type Scenario, scenario } from '../../conformance/scenario.ts'

const KEYS = { verifier: 'AUT-PROVIDER-KEY', registrar: 'REG-AUTH-PROVIDER-KEY' } as const
const ROLES = ['verifier', 'registrar'] as const
const ABSENT = 'the target file names no server with the settings'

const NAMED = ROLES.map((role) =>
  scenario({
    id: `authorization.provider.${role}.named`,
    title: `The ${role} decides as usual when its settings name the provider simple`,
    requirements: [KEYS[role]],
    ...({ role, since: '2.5', until: '2.5', settings: 'named_authorization' } as const),
    async run({ hasSettings, notApplicable, check, ...servers }) {
      if (!hasSettings) notApplicable(`${ABSENT} named_authorization`)
      const admin = await listAt(servers, role, servers.verifier.admin)
      check(KEYS[role], 'HTTP status for an administrator').of(admin.status).is(200)
      const anonymous = await listAt(servers, role, ANONYMOUS)
      check(KEYS[role], 'HTTP status for an anonymous client')
        .of(anonymous)
        .matches(...REFUSED)
    },
  }),
)

const OTHER = ROLES.map((role) =>
  scenario({
    id: `authorization.provider.${role}.other`,
    title: `The ${role} serves no administrator when its settings name a provider that does not exist`,
    requirements: role === 'verifier' ? [KEYS[role], 'AUT-PROVIDER-ONLY'] : [KEYS[role]],
    variantOf: `authorization.provider.${role}.named`,
    ...({ role, since: '2.5', until: '2.5', settings: 'other_authorization' } as const),
    async run({ hasSettings, notApplicable, check, ...servers }) {
      if (!hasSettings) notApplicable(`${ABSENT} other_authorization`)
      const admin = await listAt(servers, role, servers.verifier.admin)
      for (const requirement of role === 'verifier'
        ? [KEYS[role], 'AUT-PROVIDER-ONLY']
        : [KEYS[role]])
        check(requirement, 'whether an administrator is served')
          .of(admin.status === 200)
          .is(false)
    },
  }),
)

type Servers = Pick<Parameters<Scenario['run']>[0], 'verifier' | 'registrar'>

/** A request of administrators that needs no resource. */
function listAt(
  { verifier, registrar }: Servers,
  role: (typeof ROLES)[number],
  as: Servers['verifier']['admin'],
) {
  return role === 'verifier' ? verifier.call('list-policies', { as }) : registrar.list(as)
}

export default [...NAMED, ...OTHER]
