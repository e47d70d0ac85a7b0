import { scenario } from '../../../conformance/scenario.ts'
import { tenantOperations } from '../support/tenant-operations.ts'
import { impostorOf, webFacings, webImpostors } from '../support/web-impostors.ts'
import { addByWeb } from '../support/web-requests.ts'

const AGENT = 'LEG-WEB-CHECKS-AGENT'
const CERTIFICATES = 'LEG-WEB-CHECKS-CERTIFICATES'

export default scenario({
  id: 'tenant-web.impostors',
  title:
    'The web application sends the U key to no agent that proves no identity, and nothing to a peer with another certificate',
  requirements: [AGENT, CERTIFICATES],
  role: 'tenant_web',
  seconds: 3,
  since: '2.0',
  until: '2.0',
  variantOf: 'tenant-web.added',
  async run({ tenants, check }) {
    let impostor: Parameters<typeof tenants.stage>[0] = {}
    const stage = await tenants.stage(impostorOf(() => impostor ?? {}))
    const web = await stage.web()
    const sentU = () => tenantOperations(stage).sentU
    for (const { says, mutated } of webImpostors) {
      const before = sentU()
      impostor = mutated // the defect
      await addByWeb(web, stage, {})
      check(AGENT, `U keys sent to an agent ${says}`)
        .of(sentU() - before)
        .is(0)
    }
    impostor = {}
    for (const { peer, says, recipe } of webFacings) {
      const received = () => tenantOperations(stage).countRequests(peer)
      await stage.show(peer, recipe(stage.agentId)) // the defect
      const before = received()
      await addByWeb(web, stage, {})
      check(CERTIFICATES, `requests to a ${peer} that shows a certificate ${says}`)
        .of(received() - before)
        .is(0)
      await stage.show(peer)
    }
    const before = sentU()
    await addByWeb(web, stage, {})
    check(AGENT, 'U keys sent to the agent itself afterwards')
      .of(sentU() - before)
      .is(1)
    const { nonces } = tenantOperations(stage)
    check(AGENT, 'nonces of identity quotes that were used before')
      .of(nonces.length - new Set(nonces).size)
      .is(0)
  },
})
