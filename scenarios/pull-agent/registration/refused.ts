import { scenario } from '../../../conformance/scenario.ts'

const ENVELOPE = { code: 403, status: 'refused by the harness', results: {} }

/** Refusals that apply to this agent, not transient faults. */
const REFUSALS = [
  { id: 'register-403', says: 'refuses the registration', on: 'register' },
  { id: 'activate-403', says: 'refuses the activation', on: 'activate' },
] as const

export default REFUSALS.map(({ id, says, on }) =>
  scenario({
    id: `pull-agent.registration.refused.${id}`,
    title: `A pull agent does not serve if its registrar ${says}`,
    requirements: ['AGT-REG-REFUSED'],
    role: 'pull_agent',
    seconds: 3,
    since: '2.1',
    until: '2.5',
    perMajor: true,
    variantOf: 'pull-agent.registration.record',
    async run({ pullAgents, check, observe }) {
      const answer = { status: 403, body: ENVELOPE }
      const agent = await pullAgents.start({ misbehave: [{ on, answer, times: 100 }] }) // the defect
      const seen = await pullAgents.afterRefusal(agent)
      check('AGT-REG-REFUSED', 'whether it serves').of(seen.serves).is(false)
      observe('REFUSEDREG', 'outcome of the agent', seen.exitReason ?? 'it runs and does not serve')
    },
  }),
)
