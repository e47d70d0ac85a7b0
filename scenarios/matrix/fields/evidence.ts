import { scenario } from '../../../conformance/scenario.ts'
import { thirdPartyEvidence } from '../support/engine.ts'
import { fieldsOf } from '../support/fields-part.ts'

const NONCE = 'Zt4wQ9sB2kLm7Xc1Vn8R'

export default scenario({
  id: 'matrix.fields.evidence',
  title: 'The verifier replies to verify/evidence with the members of the document',
  ...fieldsOf(['verifier.verify-evidence']),
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  async run({ verifier, machines, checkReply }) {
    const machine = await machines.boot()
    const valid = await thirdPartyEvidence(machine, { quoted: NONCE, stated: NONCE })
    checkReply('verifier.verify-evidence', await verifier.verifyEvidence(valid), [
      'the evidence is valid',
    ])
    // Two failures, each of which has the members.
    const never = ['ee'.repeat(32)]
    const invalid = await thirdPartyEvidence(machine, {
      ...{ quoted: NONCE, stated: NONCE, pcrs: [7] },
      tpmPolicy: { 7: never, 10: never },
    })
    checkReply('verifier.verify-evidence', await verifier.verifyEvidence(invalid), [
      'the evidence is invalid',
    ])
  },
})
