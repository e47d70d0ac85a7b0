import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

type Proof = Readonly<Record<string, unknown>>
type Mutate = (proof: Proof) => unknown

const without =
  (...names: readonly string[]): Mutate =>
  (proof) => ({
    ...proof,
    data: Object.fromEntries(
      Object.entries(proof.data as object).filter(([name]) => !names.includes(name)),
    ),
  })

const withData =
  (change: Proof): Mutate =>
  (proof) => ({ ...proof, data: { ...(proof.data as object), ...change } })

/** Replaces the valid proof; undefined leaves the list empty. */
const DEFECTS: readonly (readonly [id: string, title: string, row: string, mutate: Mutate])[] = [
  ['no-message', 'no message', 'SES-PROOF-WITHOUT-DATA', without('message')],
  ['no-signature', 'no signature', 'SES-PROOF-WITHOUT-DATA', without('signature')],
  ['no-data', 'no data', 'SES-PROOF-WITHOUT-DATA', ({ data: _, ...rest }) => rest],
  ['empty-message', 'an empty message', 'SES-PROOF-WITHOUT-DATA', withData({ message: '' })],
  ['empty-list', 'nothing', 'SES-PROOF-WITHOUT-DATA', () => undefined],
  ['short-message', 'a message of one byte', 'SES-FAIL-MALFORMED', withData({ message: 'AA==' })],
  ['no-base64', 'a message that is not base64', 'SES-FAIL-MALFORMED', withData({ message: '*' })],
  ['number', 'a number for a message', 'SES-FAIL-MALFORMED', withData({ message: 7 })],
  [
    'class',
    'an unknown class',
    'SES-PROVE-REQUEST-CLASS',
    (right) => ({ ...right, authentication_class: 'pot' }),
  ],
  [
    'type',
    'an unknown type',
    'SES-PROVE-REQUEST-METHOD',
    (right) => ({ ...right, authentication_type: 'tpm' }),
  ],
]

export default DEFECTS.map(([id, title, row, mutate]) =>
  scenario({
    id: `session.proof-malformed.${id}`,
    title: `The verifier issues no token for a proof with ${title}`,
    requirements: [row],
    role: 'verifier',
    since: '3.0',
    variantOf: 'session.proof-accepted',
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ until: 'enrolled' })
      const proven = await agent.proveSession(await agent.openSession(), {
        attributes: (right) => ({
          ...right,
          authentication_provided: (right.authentication_provided as Proof[])
            .map(mutate) // the defect
            .filter((proof) => proof !== undefined),
        }),
      })
      const received = check(row, 'answer to the proof').of(proven)
      received.matches(...NO_TOKEN)
      if (row === 'SES-FAIL-MALFORMED')
        received.meets({
          'an HTTP error': isRefusal,
          fail: (reply) => attributes(reply, 'evaluation') === 'fail',
        })
    },
  }),
)
