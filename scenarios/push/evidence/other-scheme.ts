import { at, attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { rsaAttester, TPM_ALG } from '../support/engine.ts'

export default scenario({
  id: 'push.evidence.other-scheme',
  title: 'The verifier does not pass a quote in another scheme than the chosen one',
  requirements: ['ATT-QUOTE-OTHER-SCHEME'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check, notApplicable }) {
    const attester = rsaAttester('the attestation key of another scheme', TPM_ALG.RSAPSS)
    const agent = await machines.softAgent({ until: 'activated', attester })
    await agent.enrol({ accept_tpm_signing_algs: ['rsassa', 'rsapss'] })
    const proven = await agent.proveSession(await agent.openSession())
    if (isRefusal(proven) || attributes(proven, 'evaluation') === 'fail')
      notApplicable('this key opens no session')
    await agent.logIn()
    const offered = await agent.offerInTurn()
    if (isRefusal(offered)) notApplicable('the verifier requests no quote in RSASSA of this key')
    const negotiation = agent.negotiationIn(offered)
    const quote = negotiation.requested.find(({ evidence_type }) => evidence_type === 'tpm_quote')
    if (at(quote, 'chosen_parameters', 'signature_scheme') !== 'rsassa')
      notApplicable('the verifier requests no quote in RSASSA of this key')
    const reply = await agent.submit(negotiation) // the defect
    check('ATT-QUOTE-OTHER-SCHEME', 'outcome of a quote in RSAPSS where RSASSA was chosen')
      .of(isRefusal(reply) ? 'refused' : attributes(await agent.verdict(negotiation), 'evaluation'))
      .isOneOf(['refused', 'fail'])
  },
})
