import { base64, type Context, isRefusal, scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Kq3n8VbT0xWz5LmR2pYd'

export default scenario({
  id: 'verifier.evidence-parts',
  title: 'The verifier evaluates evidence without the parts that are optional',
  requirements: [
    ...['VER-EVIDENCE-TPM-POLICY-OPTIONAL', 'VER-EVIDENCE-BOOT-OPTIONAL'],
    ...['VER-EVIDENCE-RUNTIME-OPTIONAL', 'VER-EVIDENCE-LIST-WITHOUT-POLICY'],
    ...['VER-EVIDENCE-LIST-OPTIONAL', 'VER-EVIDENCE-RUNTIME-JSON', 'VER-EVIDENCE-HASH-ALG'],
  ],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  variantOf: 'verifier.evidence-valid',
  async run(context) {
    const { verifier, machines, check } = context
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
    if (verifier.dialect['quoted-ima-pcr'] === 'alone') {
      const isBareValid = await isValid(bare) // the defect: neither a policy nor a list
      for (const row of ['VER-EVIDENCE-RUNTIME-OPTIONAL', 'VER-EVIDENCE-LIST-WITHOUT-POLICY'])
        check(row, 'whether it is valid with neither a runtime policy nor a measurement list')
          .of(isBareValid)
          .is(true)
    }
    await checkOtherBank(context)
    check('VER-EVIDENCE-LIST-OPTIONAL', 'the answer to a runtime policy without a measurement list')
      .of(await ask({ ...bare, runtime_policy })) // the defect
      .meets({
        required: isRefusal,
        'its absence fails': (reply) => validityIn(reply) === false,
      })
  },
})

/** A quote of another bank than the usual one, by a key with that hash. */
async function checkOtherBank({ verifier, machines, check }: Context): Promise<void> {
  const machine = await machines.boot({ ak: { algorithm: 'ecc256', hash: 'sha384' } })
  const given = { quoted: NONCE, stated: NONCE, bank: 'sha384' } as const
  const whole = await thirdPartyEvidence(machine, given)
  check('VER-EVIDENCE-HASH-ALG', 'whether a quote of the bank sha384 is valid')
    .of(validityIn(await verifier.verifyEvidence(whole)))
    .is(true)
}
