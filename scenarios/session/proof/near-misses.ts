import { attributes, type Context, type Reply, scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'
import { MISSES } from '../support/near-proofs.ts'

type Agent = Awaited<ReturnType<Context['machines']['lightAgent']>>

const [PASSES, CHALLENGE] = ['SES-PASS-EVALUATION', 'SES-PROOF-OVER-CHALLENGE']
const KEY = 'SES-PROOF-BY-ENROLLED-KEY'

export default scenario({
  id: 'session.proof-near-misses',
  title:
    'The verifier rejects a certification that misses challenge, type, magic, key or end in one place',
  requirements: [PASSES, KEY, ...new Set(MISSES.map(([requirement]) => requirement))],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-by-soft-key',
  async run({ machines, check, observe }) {
    const agent = await machines.lightAgent({ until: 'enrolled' })
    const other = await machines.lightAgent({ until: 'enrolled' })
    let proven = new Uint8Array()
    for (const one of [other, agent]) {
      const right = await one.proveSession(await one.openSession(), {
        attest: (attest) => {
          proven = Uint8Array.from(attest.extraData)
          return attest
        },
      })
      check(PASSES, 'evaluation of a right certification before')
        .of(attributes(right, 'evaluation'))
        .is('pass')
    }
    for (const [requirement, says, defect] of MISSES)
      check(requirement, `certification ${says}`)
        .of(await agent.proveSession(await agent.openSession(), defect))
        .matches(...NO_TOKEN)
    check(CHALLENGE, 'certification over the challenge of a session that was proven')
      .of(await agent.proveSession(await agent.openSession(), { challenge: proven }))
      .matches(...NO_TOKEN)
    for (const [what, certified] of [
      ['of the key of the agent', agent],
      ['of itself', other],
    ] as const)
      check(KEY, `certification ${what} by the key of another agent`)
        .of(await proveBy(other, agent, certified))
        .matches(...NO_TOKEN)
    const last = await agent.proveSession(await agent.openSession())
    if (last.status === 429)
      return observe('failures', 'HTTP status of a right proof after others', 429)
    check(PASSES, 'evaluation of a right certification after those that failed')
      .of(attributes(last, 'evaluation'))
      .is('pass')
  },
})

/** Proves a session of an agent by the key of another one, which certifies its own key or the agent's. */
async function proveBy(signer: Agent, agent: Agent, certified: Agent): Promise<Reply> {
  const { name } = certified.machine.ak
  const proof = await signer.makeProof(await agent.openSession(), {
    attributes: (right) => ({ ...right, agent_id: agent.id }),
    attest: (one) => ({ ...one, attested: { kind: 'certify', name, qualifiedName: name } }),
  })
  return agent.sendProof(proof)
}
