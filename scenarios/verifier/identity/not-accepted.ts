import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'
import {
  ALGORITHMS,
  attesterOver,
  claimIn,
  ecdsaAttester,
  p384Attester,
  shortAttesters,
} from '../support/unaccepted.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.not-accepted',
  title:
    'The verifier applies all lists of accepted algorithms to the quote of an identity, or none',
  requirements: ['VER-IDENTITY-GOOD', 'VER-IDENTITY-LISTS'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const accepting = Object.fromEntries(ALGORITHMS.map(({ member, own }) => [member, own]))
    const answerUnder = async (
      lists: Readonly<Record<string, readonly string[]>>,
      options: Parameters<typeof machines.softAgent>[0] = { until: 'activated' },
      claim?: ReturnType<typeof claimIn>,
    ) => {
      const agent = await machines.softAgent(options)
      await agent.enrol({ ...accepting, ...lists })
      const quoted = claim ?? { quote: await identityQuote(agent.machine, NONCE) }
      const reply = await verifier.verifyIdentity({ agent_uuid: agent.id, nonce: NONCE, ...quoted })
      return answerIn(reply)
    }
    check('VER-IDENTITY-GOOD', 'valid of a quote by accepted algorithms')
      .of(await answerUnder({}))
      .is(true)
    const [, isNotValid] = NOT_VALID
    const valid: string[] = []
    const invalid: string[] = []
    const note = (what: string, answer: unknown) => {
      check('VER-IDENTITY-LISTS', `answer to a quote under ${what}`)
        .of(answer)
        .matches('valid, not valid, or a refusal', (one) => one === true || isNotValid(one))
      const list = answer === true ? valid : invalid
      list.push(what)
    }
    for (const { member, others } of ALGORITHMS)
      for (const list of others) note(`${member} ${list}`, await answerUnder({ [member]: list })) // the defect
    const signing = 'accept_tpm_signing_algs'
    const ecc = { accept_tpm_encryption_algs: ['ecc'], [signing]: ['ecdsa'] }
    const options = { until: 'activated', attester: ecdsaAttester() } as const
    if ((await answerUnder(ecc, options)) === true)
      note('ECDSA under rsassa', await answerUnder({ ...ecc, [signing]: ['rsassa'] }, options)) // the defect
    const inSha384 = { until: 'booted', attester: attesterOver('sha384') } as const
    const withSha384 = { ...ecc, accept_tpm_hash_algs: ['sha384', 'sha1'] }
    // PCR 16, which the identity quote of an agent covers.
    const ofKey = claimIn('sha384', inSha384.attester, NONCE, [16])
    check('VER-IDENTITY-GOOD', 'valid of a quote of PCR 16 in SHA-384, where it is accepted')
      .of(await answerUnder(withSha384, inSha384, ofKey))
      .is(true)
    const inSha1 = { until: 'booted', attester: attesterOver('sha1') } as const
    const claim = claimIn('sha1', inSha1.attester, NONCE)
    const withoutSha1 = { ...ecc, accept_tpm_hash_algs: ['sha256'] }
    // A verifier may refuse an agent without sha1, or any quote in SHA-1.
    const isAdded = (await answerUnder(withoutSha1, options)) === true
    if (isAdded && (await answerUnder(ecc, inSha1, claim)) === true)
      note('sha256 alone, in SHA-1', await answerUnder(withoutSha1, inSha1, claim)) // the defect
    const onP384 = { until: 'booted', attester: p384Attester() } as const
    const ecc384 = { accept_tpm_encryption_algs: ['ecc384'], [signing]: ['ecdsa'] }
    if ((await answerUnder(ecc384, onP384)) === true)
      note('ecc, which is ecc256, by a key on P-384', await answerUnder(ecc, onP384)) // the defect
    if (invalid.length > 0)
      for (const [says, short] of shortAttesters())
        note(`rsa2048 ${says}`, await answerUnder({}, { until: 'booted', attester: short })) // the defect
    check(
      'VER-IDENTITY-LISTS',
      'lists that do not hold the algorithms of a quote, by the answer to it',
    )
      .of({ valid, invalid })
      .matches('all valid, or all invalid', () => valid.length === 0 || invalid.length === 0)
  },
})
