import {
  ANONYMOUS,
  type Context,
  REFUSED,
  type Reply,
  scenario,
} from '../../conformance/scenario.ts'
import { headersOfProxies } from './support/engine.ts'
import { nearKinds } from './support/near-kinds.ts'

type Ask = (as: Context['verifier']['admin']) => Promise<Reply>

const SIGNED = ['CRT-ADMIN-SIGNED', 'CRT-ADMIN-CLIENT-AUTH']

async function checkNear({ certificates, check }: Context, ask: Ask): Promise<void> {
  for (const { kind, requirement, says } of nearKinds) {
    const refusal = await ask(await certificates(kind)) // the defect
    check(requirement, `a request with a certificate ${says}`)
      .of(refusal)
      .matches(...REFUSED)
  }
}

export default [
  scenario({
    id: 'certificates.near.registrar',
    title:
      'The registrar denies administrator access with certificates that resemble that of an administrator',
    requirements: [...SIGNED, 'AUT-ADMIN-NEEDS-CERTIFICATE'],
    role: 'registrar',
    since: '2.5',
    perMajor: true,
    variantOf: 'certificates.tenant-at-registrar',
    async run(context) {
      const { registrar, verifier, check } = context
      const headers = headersOfProxies(verifier.admin)
      check(
        'AUT-ADMIN-NEEDS-CERTIFICATE',
        "list with the administrator's certificate in headers alone",
      )
        .of(await registrar.call('list', { headers, as: ANONYMOUS }))
        .matches(...REFUSED)
      await checkNear(context, (as) => registrar.list(as))
    },
  }),
  scenario({
    id: 'certificates.near.verifier',
    title:
      'The verifier denies administrator access with certificates that resemble that of an administrator',
    requirements: SIGNED,
    role: 'verifier',
    since: '2.5',
    until: '2.5',
    perMajor: true,
    variantOf: 'certificates.tenant-at-verifier',
    async run(context) {
      const agent = await context.machines.silentAgent()
      await agent.enrol()
      await checkNear(context, (as) => context.verifier.readAgent(agent.id, as))
    },
  }),
]
