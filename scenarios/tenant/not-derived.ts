import { scenario } from '../../conformance/scenario.ts'
import { tenantOperations } from './support/tenant-operations.ts'

/** Answers that are not the HMAC of K over the challenge. */
const WRONG = [
  { says: 'another first digit', mutateProof: (hmac: string) => otherDigit(hmac) + hmac.slice(1) },
  { says: 'its first half', mutateProof: (hmac: string) => hmac.slice(0, hmac.length / 2) },
  {
    says: 'another last digit',
    mutateProof: (hmac: string) => hmac.slice(0, -1) + otherDigit(hmac.slice(-1)),
  },
  { says: 'nothing', mutateProof: () => '' },
  { says: 'HTTP 404 without one', proofStatus: 404 },
]

const otherDigit = (hmac: string) => (hmac.startsWith('0') ? '1' : '0')

export default scenario({
  id: 'tenant.not-derived',
  title: 'A tenant that verifies K reports a failure if the agent proves another key',
  requirements: ['TEN-VERIFIES-DERIVATION'],
  role: 'tenant',
  seconds: 3,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'tenant.added',
  async run({ tenants, check, observe }) {
    for (const { says, ...answer } of WRONG) {
      const stage = await tenants.stage(answer) // the defect
      const file = stage.file('payload', 'for the agent only\n')
      const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', file, '--verify')
      check('TEN-VERIFIES-DERIVATION', `exit code if the proof is ${says}`).of(code).isNot(0)
      observe('TENANTSTOP', 'its requests, in order', tenantOperations(stage).order)
    }
  },
})
