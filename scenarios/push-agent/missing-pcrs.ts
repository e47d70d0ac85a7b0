import { scenario } from '../../conformance/scenario.ts'
import { checkMissingPcrs, offersAnything } from './support/check-capabilities.ts'

/** Registers of a dynamic launch, which no log of the machine and no quote of the suite needs. */
const MISSING = [20, 21]

export default scenario({
  id: 'push-agent.missing-pcrs',
  title: 'A push agent does not offer PCRs that its TPM does not have',
  requirements: ['PSH-QUOTE-SUBJECTS'],
  role: 'push_agent',
  seconds: 3,
  since: '3.0',
  variantOf: 'push-agent.capabilities',
  async run(context) {
    const agent = await context.pushAgents.start({ lacksPcrs: MISSING }) // the difference
    if (!(await offersAnything(agent)))
      context.notApplicable('the agent does not attest with a TPM that has fewer than 24 PCRs')
    checkMissingPcrs(context, agent.operations, MISSING)
  },
})
