import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

const REQUIREMENT = 'VER-ADD-ENCRYPTION-NOT-ACCEPTED'

export default scenario({
  id: 'verifier.polling.key-claimed',
  title: 'The verifier takes the algorithm of a key from the key, and not from the agent',
  requirements: [REQUIREMENT],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check }) {
    const members = { accept_tpm_encryption_algs: ['rsa', 'rsa4096'] }
    const agent = await machines.pullAgent({
      members,
      script: [{ does: 'other-enc-alg', from: 1 }], // the defect: the key is on P-256, and the answer names rsa4096
    })
    const record = await agent.recordOnce(
      (one) => typeof results(one, 'last_event_id') === 'string' || countOf(one) > 0,
    )
    check(REQUIREMENT, 'attestation_count of an ECC key that is named RSA, where RSA is accepted')
      .of(countOf(record))
      .is(0)
  },
})
