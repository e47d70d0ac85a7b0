import type { Context } from '../../conformance/scenario.ts'
import { scenario } from '../../conformance/scenario.ts'
import { type Facing, facings } from './support/facings.ts'

/** Runs a command towards a peer that shows a certificate, and returns the requests that the peer received. */
async function requestsTo(
  { tenants }: Context,
  { peer, recipe, command }: Facing,
): Promise<{ readonly wrong: number; readonly right: number; readonly code: number | null }> {
  const stage = await tenants.stage()
  const received = () => stage.requests.filter((one) => one.peer === peer).length
  const words = command === 'add' ? ['-u', stage.agentId] : []
  await stage.show(peer, recipe(stage.agentId))
  await stage.run('-c', command, ...words)
  const wrong = received()
  await stage.show(peer)
  const { code } = await stage.run('-c', command, ...words)
  return { wrong, right: received() - wrong, code }
}

/** Each server certificate that a tenant must not accept, and behind it the right one. */
export default facings.map((facing) =>
  scenario({
    id: `tenant.servers.${facing.id}`,
    title: `A tenant sends no request to a ${facing.peer} that shows a certificate ${facing.says}`,
    requirements: [facing.requirement, 'TEN-EXIT-DONE'],
    role: 'tenant',
    since: '2.1',
    until: '2.5',
    perMajor: true,
    seconds: 3,
    variantOf: 'tenant.added',
    async run(context) {
      const { check } = context
      const { wrong, right, code } = await requestsTo(context, facing)
      check(facing.requirement, `requests to the ${facing.peer}`).of(wrong).is(0)
      const isAsked = check(facing.requirement, 'requests once it shows its own')
        .of(right > 0)
        .is(true)
      if (isAsked) check('TEN-EXIT-DONE', 'exit code of that command').of(code).is(0)
    },
  }),
)
