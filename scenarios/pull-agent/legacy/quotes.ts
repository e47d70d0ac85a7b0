import { results, scenario } from '../../../conformance/scenario.ts'
import { compareQuote, freshNonce, readQuote } from '../support/engine.ts'
import { agentOfVersion } from '../support/legacy-agent.ts'

const NODE_KEY_PCR = 16
const FORMS = ['text', 'decoded'] as const

export default scenario({
  id: 'pull-agent.legacy.quotes',
  title: 'A pull agent of API 2.0 quotes as the query of the legacy listing asks',
  requirements: [
    'LEG-AGT-IDENTITY-NONCE',
    'LEG-AGT-INTEGRITY-NONCE',
    'LEG-AGT-INTEGRITY-MASK',
    'LEG-AGT-INTEGRITY-PARTIAL',
    'LEG-AGT-INTEGRITY-VMASK',
  ],
  role: 'pull_agent',
  since: '2.0',
  until: '2.0',
  async run(context) {
    const { random, check } = context
    const agent = await agentOfVersion(context)
    const ask = async (operation: 'identity' | 'integrity', query: Record<string, string> = {}) => {
      const nonce = freshNonce(random)
      const reply = await agent.call(operation, { query: { nonce, ...query } })
      const attestationKey = String(agent.registration.body['aik_tpm'])
      const known = { machine: agent.machine, attestationKey, nonce }
      const found = await compareQuote(readQuote(String(results(reply, 'quote'))), known)
      const pcrs = found.pcrs.filter((pcr) => pcr !== NODE_KEY_PCR)
      // A nonce counts only under the signature of the registered key.
      return { reply, pcrs, nonce: found.signed ? found.nonce : 'unsigned' }
    }
    const identity = await ask('identity')
    check('LEG-AGT-IDENTITY-NONCE', 'the nonce in the quote').of(identity.nonce).isOneOf(FORMS)
    const whole = await ask('integrity', { mask: '0x408000', partial: '0' })
    check('LEG-AGT-INTEGRITY-NONCE', 'the nonce in the quote').of(whole.nonce).isOneOf(FORMS)
    check('LEG-AGT-INTEGRITY-MASK', 'PCRs of the mask 0x408000').of(whole.pcrs).is([15, 22])
    check('LEG-AGT-INTEGRITY-PARTIAL', 'pubkey with partial=0')
      .of(typeof results(whole.reply, 'pubkey'))
      .is('string')
    const part = await ask('integrity', { mask: '0x1', partial: '1' })
    check('LEG-AGT-INTEGRITY-MASK', 'PCRs of the mask 0x1').of(part.pcrs).is([0])
    check('LEG-AGT-INTEGRITY-PARTIAL', 'pubkey with partial=1')
      .of(results(part.reply, 'pubkey') || undefined)
      .is(undefined)
    const masked = await ask('integrity', { mask: '0x8000', vmask: '0x4000', partial: '1' })
    const isServed = check('LEG-AGT-INTEGRITY-VMASK', 'HTTP status with vmask')
      .of(masked.reply.status)
      .is(200)
    check('LEG-AGT-INTEGRITY-VMASK', 'the nonce in the quote').of(masked.nonce).isOneOf(FORMS)
    // An agent whose TPM is not virtual has no other one for a vmask.
    if (isServed)
      check('LEG-AGT-INTEGRITY-MASK', 'PCRs of the mask 0x8000 with another vmask')
        .of(masked.pcrs)
        .is([15])
  },
})
