import { at, attributes, isRefusal, listOf, scenario } from '../../../conformance/scenario.ts'
import { editMember } from '../support/edit-member.ts'
import { TEXT_LIST } from '../support/engine.ts'

const OFFERS = ['data', 'attributes', 'evidence_supported']
const KEYS = [...OFFERS, 'tpm_quote', 'capabilities', 'certification_keys']
const LIST = [...OFFERS, 'ima_log', 'capabilities']
const UNREADABLE = 'application/x-assay'
/** Less than the agent had before. */
const FEWER = 2

type Named = (server_identifier: string) => unknown
type Keys = (own: Named, foreign: Named) => readonly unknown[]

/** Lists in which the usable value is not the only one. */
const ORDERS: readonly (readonly [says: string, keys: Keys, formats: readonly string[]])[] = [
  ['first', (own, foreign) => [own('ak'), foreign('other')], [TEXT_LIST, UNREADABLE]],
  ['last', (own, foreign) => [foreign('other'), own('ak')], [UNREADABLE, TEXT_LIST]],
  ['one with another name', (own, foreign) => [own('enrolled'), foreign('ak')], [TEXT_LIST]],
]

export default scenario({
  id: 'push.attestation.selected-among-others',
  title: 'The verifier chooses the usable key, format and offset among others that are offered',
  requirements: [
    'ATT-SELECTION-KEY-ENROLLED',
    'ATT-SELECTION-FORMAT',
    'ATT-SELECTION-OFFSET',
    'ATT-EVALUATION-PASS',
  ],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.attestation.selected',
  async run({ verifier, machines, check }) {
    const other = await machines.lightAgent()
    await other.negotiate()
    const agent = await machines.lightAgent()
    const send = (body: unknown) =>
      verifier.patiently(() =>
        verifier.call('negotiate', { as: agent.credentials, params: { agent_id: agent.id }, body }),
      )
    for (const [says, keys, formats] of ORDERS) {
      const own = editMember(agent.capabilities(), [...LIST, 'formats'], formats)
      const offered = keys(named(keyOf(own)), named(keyOf(other.capabilities())))
      const reply = await send(editMember(own, KEYS, offered)) // the defect
      const negotiation = agent.negotiationIn(reply)
      const [quote, list] = ['tpm_quote', 'ima_log'].map((type) =>
        negotiation.requested.find(({ evidence_type }) => evidence_type === type),
      )
      check('ATT-SELECTION-KEY-ENROLLED', `server_identifier where the enrolled key is the ${says}`)
        .of(at(quote, 'chosen_parameters', 'certification_key', 'server_identifier'))
        .is(at(offered.find(isOf(own)), 'server_identifier'))
      check('ATT-SELECTION-FORMAT', `format where the known one is the ${says}`)
        .of(at(list, 'chosen_parameters', 'format'))
        .is(TEXT_LIST)
      await agent.submit(negotiation)
      check('ATT-EVALUATION-PASS', `evaluation where the usable values are the ${says}`)
        .of(attributes(await agent.verdict(negotiation), 'evaluation'))
        .is('pass')
    }
    const sizes = keysOfOneName(agent.capabilities(), other.capabilities())
    const reply = await send(editMember(agent.capabilities(), KEYS, sizes)) // the defect
    check('ATT-SELECTION-KEY-ENROLLED', 'key_size where a key of another size has the same name')
      .of(isRefusal(reply) ? 'refused' : keySizeIn(agent.negotiationIn(reply).requested))
      .isOneOf([at(sizes[0], 'key_size'), 'refused'])
    const fewer = await send(editMember(agent.capabilities(), [...LIST, 'entry_count'], FEWER))
    const { requested = [] } = isRefusal(fewer) ? {} : agent.negotiationIn(fewer)
    const offsets = requested.map((item) => at(item, 'chosen_parameters', 'starting_offset') ?? 0)
    check('ATT-SELECTION-OFFSET', `offsets that are not in a list of ${FEWER} entries`)
      .of(offsets.filter((offset) => Number(offset) > FEWER))
      .is([])
  },
})

/** The enrolled key, and behind it one of another size under its name, which a verifier may refuse. */
function keysOfOneName(own: unknown, foreign: unknown): readonly unknown[] {
  const [key, size] = [keyOf(own), Number(at(keyOf(own), 'key_size'))]
  return [key, { ...Object(keyOf(foreign)), key_size: size + 128 }]
}

function keySizeIn(requested: readonly unknown[]): unknown {
  const quote = requested.find((item) => at(item, 'evidence_type') === 'tpm_quote')
  return at(quote, 'chosen_parameters', 'certification_key', 'key_size')
}

function named(key: unknown): Named {
  return (server_identifier) => ({ ...Object(key), server_identifier })
}

/** Recognizes the key of these capabilities by its public area. */
function isOf(capabilities: unknown): (key: unknown) => boolean {
  return (key) => at(key, 'public') === at(keyOf(capabilities), 'public')
}

function keyOf(capabilities: unknown): unknown {
  const offers = listOf(at(capabilities, ...OFFERS)) ?? []
  const quote = offers.find((offer) => at(offer, 'evidence_type') === 'tpm_quote')
  return at(quote, 'capabilities', 'certification_keys', 0)
}
