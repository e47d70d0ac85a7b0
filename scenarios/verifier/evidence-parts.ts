import { base64, isRefusal, scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Kq3n8VbT0xWz5LmR2pYd'

export default scenario({
  id: 'verifier.evidence-parts',
  title: 'The verifier evaluates evidence without the parts that are optional',
  requirements: [
    ...['VER-EVIDENCE-TPM-POLICY-OPTIONAL', 'VER-EVIDENCE-BOOT-OPTIONAL'],
    ...['VER-EVIDENCE-RUNTIME-OPTIONAL', 'VER-EVIDENCE-LIST-WITHOUT-POLICY'],
    ...['VER-EVIDENCE-LIST-OPTIONAL', 'VER-EVIDENCE-RUNTIME-JSON'],
  ],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  variantOf: 'verifier.evidence-valid',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const whole = await thirdPartyEvidence(machine, { quoted: NONCE, stated: NONCE })
    const { runtime_policy, ima_measurement_list: _, ...bare } = whole
    const ask = (evidence: typeof bare) => verifier.verifyEvidence(evidence)
    const isValid = async (evidence: typeof bare) => validityIn(await ask(evidence)) === true
    const asText = await isValid(whole)
    for (const row of ['VER-EVIDENCE-TPM-POLICY-OPTIONAL', 'VER-EVIDENCE-BOOT-OPTIONAL'])
      check(row, 'whether evidence with neither of these policies is valid').of(asText).is(true)
    const encoded = base64(new TextEncoder().encode(String(runtime_policy)))
    check('VER-EVIDENCE-RUNTIME-JSON', 'whether it is valid with a policy as text, and as base64')
      .of([asText, await isValid({ ...whole, runtime_policy: encoded })])
      .meets({
        'JSON text': ([text]) => text === true,
        base64: ([, encoding]) => encoding === true,
      })
    const isBareValid = await isValid(bare) // the defect: neither a policy nor a list
    for (const row of ['VER-EVIDENCE-RUNTIME-OPTIONAL', 'VER-EVIDENCE-LIST-WITHOUT-POLICY'])
      check(row, 'whether it is valid with neither a runtime policy nor a measurement list')
        .of(isBareValid)
        .is(true)
    check('VER-EVIDENCE-LIST-OPTIONAL', 'the answer to a runtime policy without a measurement list')
      .of(await ask({ ...bare, runtime_policy })) // the defect
      .meets({
        required: isRefusal,
        'its absence fails': (reply) => validityIn(reply) === false,
      })
  },
})
