import { scenario } from '../../conformance/scenario.ts'
import { facings } from './support/facings.ts'

/** For each peer, a command that asks it first. */
const PEERS = [
  { peer: 'verifier', requirement: 'TEN-CHECKS-SERVERS', command: 'cvlist' },
  { peer: 'registrar', requirement: 'TEN-CHECKS-SERVERS', command: 'reglist' },
  { peer: 'agent', requirement: 'TEN-CHECKS-AGENT', command: 'add' },
] as const

/** Each server certificate that a tenant must not accept, and behind them the right one. */
export default PEERS.map(({ peer, requirement, command }) =>
  scenario({
    id: `tenant.servers.${peer}`,
    title: `A tenant sends no request to the ${peer} while it shows another certificate than its own`,
    requirements: [requirement, 'TEN-EXIT-DONE'],
    role: 'tenant',
    since: '2.1',
    until: '2.5',
    perMajor: true,
    seconds: 8,
    variantOf: 'tenant.added',
    async run({ tenants, check }) {
      const stage = await tenants.stage()
      const words = command === 'add' ? ['-u', stage.agentId] : []
      /** Runs the command, and returns how many requests the peer received. */
      const ask = async () => {
        const before = stage.requests.length
        const { code } = await stage.run('-c', command, ...words)
        return {
          code,
          received: stage.requests.slice(before).filter((one) => one.peer === peer).length,
        }
      }
      for (const { says, recipe } of facings.filter((one) => one.peer === peer)) {
        await stage.show(peer, recipe(stage.agentId)) // the defect
        check(requirement, `requests to the ${peer} that shows a certificate ${says}`)
          .of((await ask()).received)
          .is(0)
      }
      await stage.show(peer)
      const own = await ask()
      const isAsked = check(requirement, 'requests once it shows its own')
        .of(own.received > 0)
        .is(true)
      if (isAsked) check('TEN-EXIT-DONE', 'exit code of that command').of(own.code).is(0)
    },
  }),
)
