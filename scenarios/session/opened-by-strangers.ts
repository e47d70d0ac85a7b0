import { isSuccess, scenario } from '../../conformance/scenario.ts'

const MANY = 1000
const METHOD = { authentication_class: 'pop', authentication_type: 'tpm_pop' }

export default scenario({
  id: 'session.opened-by-strangers',
  title:
    "The verifier keeps an agent's token valid after other clients open a thousand sessions for it",
  requirements: ['SES-TOKEN-WORKS', 'SES-TOKEN-NOT-ENDED-BY-OPENING'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, check, observe }) {
    const victim = await machines.pushAgent()
    const before = await victim.offer(victim.credentials)
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST').of(before.status).is(201)
    const waiting = await victim.openSession()
    const attributes = { agent_id: victim.id, authentication_supported: [METHOD] }
    const body = { data: { type: 'session', attributes } }
    const { sent } = await verifier.flood('create-session', { body }, MANY) // the defect
    check(
      'SES-TOKEN-NOT-ENDED-BY-OPENING',
      `HTTP status of the capabilities POST after ${sent} sessions`,
    )
      .of((await victim.offer(victim.credentials)).status)
      .is(201)
    const proven = isSuccess(waiting) ? await victim.proveSession(waiting) : waiting
    observe('flood', "status of the agent's own earlier challenge", proven.status)
  },
})
