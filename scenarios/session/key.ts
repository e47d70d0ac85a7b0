import { at, attributes, scenario } from '../../conformance/scenario.ts'
import { bearing, tokenOf } from './support/engine.ts'

const RSA = [] as const
const ECC = ['ecc_keys'] as const

/** Attestation keys of every kind that the interface names, if TPMs can create and verifiers can accept them. */
const KINDS = [
  { algorithm: 'rsa2048', scheme: 'rsassa', hash: 'sha256', needs: RSA },
  { algorithm: 'rsa2048', scheme: 'rsassa', hash: 'sha384', needs: RSA },
  { algorithm: 'rsa2048', scheme: 'rsassa', hash: 'sha512', needs: RSA },
  { algorithm: 'rsa2048', scheme: 'rsapss', hash: 'sha256', needs: RSA },
  { algorithm: 'rsa2048', scheme: 'rsapss', hash: 'sha384', needs: RSA },
  { algorithm: 'rsa2048', scheme: 'rsapss', hash: 'sha512', needs: RSA },
  { algorithm: 'rsa3072', scheme: 'rsassa', hash: 'sha256', needs: RSA },
  { algorithm: 'ecc256', scheme: 'ecdsa', hash: 'sha256', needs: ECC },
  { algorithm: 'ecc384', scheme: 'ecdsa', hash: 'sha384', needs: ECC },
  { algorithm: 'ecc521', scheme: 'ecdsa', hash: 'sha512', needs: ECC },
] as const

export default KINDS.map(({ needs, ...ak }) =>
  scenario({
    id: `session.key.${ak.algorithm}-${ak.scheme}-${ak.hash}`,
    title: `The verifier opens a session for a key of ${ak.algorithm} that signs by ${ak.scheme} with ${ak.hash}`,
    requirements: [
      ...['SES-PASS-EVALUATION', 'SES-PROOF-KEY-KINDS', 'SES-TOKEN-WORKS'],
      ...['ATT-SELECTION-KEY', 'ATT-EVALUATION-PASS'],
    ],
    role: 'verifier',
    since: '3.0',
    needs,
    variantOf: 'session.proof-accepted',
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ until: 'enrolled', ak })
      const proven = await agent.proveSession(await agent.openSession())
      const evaluation = attributes(proven, 'evaluation')
      // Without a pass there is no token to try.
      if (!check('SES-PROOF-KEY-KINDS', 'evaluation').of(evaluation).is('pass')) return
      const reply = await agent.offer(bearing(tokenOf(proven)))
      if (
        !check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST').of(reply.status).is(201)
      )
        return
      const { requested } = agent.negotiationIn(reply)
      const quote = requested.find(({ evidence_type }) => evidence_type === 'tpm_quote')
      check('ATT-SELECTION-KEY', 'key_algorithm of the chosen key')
        .of(at(quote, 'chosen_parameters', 'certification_key', 'key_algorithm'))
        .is(ak.algorithm.slice(0, 3))
      await agent.logIn()
      check('ATT-EVALUATION-PASS', 'evaluation of a quote by this key')
        .of(attributes(await agent.attest(), 'evaluation'))
        .is('pass')
    },
  }),
)
