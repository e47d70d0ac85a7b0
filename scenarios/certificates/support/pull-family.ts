import { isSuccess, presentReply, type Reply, results } from '../../../conformance/attempt/reply.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { CertificateKind } from '../../../simulator/x509/recipes.ts'
import { MATRIX } from './admin-family.ts'
import type { ComponentName } from './questions.ts'

/** Agent server certificates that the document allows, with the requirement and the wording for each. */
const GOOD = [
  { kind: 'agent-server', for: 'CRT-PULL-SELF-SIGNED', says: 'self-signed' },
  { kind: 'server-only', for: 'CRT-PULL-SERVER-AUTH-ONLY', says: 'of the CA, for servers only' },
] as const satisfies readonly { kind: CertificateKind; for: string; says: string }[]

/** Certificates on which the document is silent, or that it forbids without naming the component that refuses them. */
const OTHERS: readonly CertificateKind[] = [
  'second',
  'both-usages',
  'no-usage',
  'other-authority',
  'expired',
  'not-yet-valid',
]

interface Giving {
  readonly operation: string
  readonly since: string
  readonly until?: string
  give(context: Context, mtlsCertificate: string): Promise<Reply>
}

const GIVING: Readonly<Record<ComponentName, Giving>> = {
  registrar: { operation: 'register', since: '2.5', give: register },
  verifier: { operation: 'add-agent', since: '2.5', until: '2.5', give: add },
}

async function register({ machines }: Context, mtlsCertificate: string): Promise<Reply> {
  return (await machines.silentAgent({ mtlsCertificate })).register()
}

async function add({ machines }: Context, mtlsCertificate: string): Promise<Reply> {
  return (await machines.silentAgent({ mtlsCertificate })).enrol()
}

/** Both components receive the server certificate of a pull agent as data; checks which ones each accepts. */
export function pullCertificateFamily(
  place: string,
  component: ComponentName,
): readonly Scenario[] {
  const giving = GIVING[component]
  return [
    ...GOOD.map((row) => acceptedScenario(place, component, giving, row)),
    observedScenario(place, component, giving),
  ]
}

function headOf(component: ComponentName, { since, until }: Giving) {
  return { role: component, since, ...(until === undefined ? {} : { until }) }
}

function acceptedScenario(
  place: string,
  component: ComponentName,
  giving: Giving,
  row: (typeof GOOD)[number],
): Scenario {
  const cellOf = (version: string) => `pull ${row.kind} ${component} ${giving.operation} ${version}`
  return {
    id: `${place}.${row.kind}`,
    title: `The ${component} accepts an agent whose server certificate is ${row.says}`,
    requirements: [row.for, ...(component === 'registrar' ? ['CRT-AGENT-GIVES'] : [])],
    ...headOf(component, giving),
    matrix: { name: MATRIX, cells: (version) => [cellOf(version)] },
    async run(context) {
      const { certificate } = await context.certificates(row.kind)
      const reply = await giving.give(context, certificate?.cert ?? '')
      context
        .check(row.for, giving.operation, cellOf(context.version))
        .of(reply)
        .matches('a success: a 2xx status', isSuccess)
      if (component === 'registrar') await checkKept(context, certificate?.cert ?? '')
    },
  }
}

/** The registrar must return the certificate that was registered. */
async function checkKept(context: Context, mtlsCertificate: string): Promise<void> {
  const { registrar, verifier, machines, check } = context
  const agent = await machines.silentAgent({ mtlsCertificate })
  await agent.activate()
  const seen = await registrar.read(agent.id, verifier.admin)
  const lines = (value: unknown) => (typeof value === 'string' ? value.trim().split(/\s+/) : value)
  check('CRT-AGENT-GIVES', 'mtls_cert of the record')
    .of(lines(results(seen, 'mtls_cert')))
    .is(lines(mtlsCertificate))
}

function observedScenario(place: string, component: ComponentName, giving: Giving): Scenario {
  return {
    id: `${place}.others`,
    title: `The ${component} answers other server certificates of an agent without a server error`,
    requirements: ['CRT-PULL-SERVER-AUTH-ONLY'],
    ...headOf(component, giving),
    async run(context) {
      for (const kind of OTHERS) {
        const { certificate } = await context.certificates(kind)
        const reply = await giving.give(context, certificate?.cert ?? '')
        context.observe('EKUENF', `${giving.operation} with ${kind}`, presentReply(reply))
      }
    },
  }
}
