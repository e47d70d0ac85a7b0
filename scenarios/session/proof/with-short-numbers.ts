import { attributes, scenario } from '../../../conformance/scenario.ts'
import { proofWithShortNumbers } from '../support/short-numbers.ts'

export default scenario({
  id: 'session.proof-with-short-numbers',
  title: 'The verifier accepts a proof whose ECDSA numbers have no leading zeros',
  requirements: ['SES-PASS-EVALUATION'],
  role: 'verifier',
  since: '3.0',
  needs: ['ecc_keys'],
  variantOf: 'session.key.ecc521-ecdsa-sha512',
  async run({ machines, check, notApplicable }) {
    const ak = { algorithm: 'ecc521', scheme: 'ecdsa', hash: 'sha512' } as const
    const agent = await machines.pushAgent({ until: 'enrolled', ak })
    const proof = await proofWithShortNumbers(agent, await agent.openSession())
    if (proof === undefined) return notApplicable('no signature of the TPM had two short numbers')
    check('SES-PASS-EVALUATION', 'evaluation')
      .of(attributes(await agent.sendProof(proof), 'evaluation'))
      .is('pass')
  },
})
