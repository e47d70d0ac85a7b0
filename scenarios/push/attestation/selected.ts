import { at, attributes, listOf, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.attestation.selected',
  title: 'The verifier requests only what the machine offers, even if the offer grows',
  requirements: [
    'ATT-SELECTION-TYPES',
    'ATT-SELECTION-KEY',
    'ATT-SELECTION-SUBJECTS',
    'ATT-SELECTION-FORMAT',
    'ATT-SELECTION-OFFSET',
    'ATT-SELECTION-COUNT',
  ],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ script: 'measure /usr/bin/known' })
    await agent.attest()
    const body = agent.capabilities()
    const offers = listOf(at(body, 'data', 'attributes', 'evidence_supported')) ?? []
    const { reply } = await agent.negotiate()
    const requested = listOf(attributes(reply, 'evidence_requested')) ?? []
    const [ofQuote, ofList] = ['tpm_quote', 'ima_log'].map((type) => {
      const isOf = (item: unknown) => at(item, 'evidence_type') === type
      return {
        offered: at(offers.find(isOf), 'capabilities'),
        chosen: at(requested.find(isOf), 'chosen_parameters'),
      }
    })
    const types = (items: readonly unknown[]) => items.map((item) => at(item, 'evidence_type'))
    check('ATT-SELECTION-TYPES', 'types that were requested and not offered')
      .of(types(requested).filter((type) => !types(offers).includes(type)))
      .is([])
    for (const member of ['key_algorithm', 'key_size', 'server_identifier'])
      check('ATT-SELECTION-KEY', `${member} of the chosen key`)
        .of(at(ofQuote?.chosen, 'certification_key', member))
        .is(at(ofQuote?.offered, 'certification_keys', 0, member))
    // In the upstream dialect both are objects from bank to list.
    const pcrs = (value: unknown) => [Object(value)].flatMap((one) => Object.values(one)).flat()
    check('ATT-SELECTION-SUBJECTS', 'PCRs that were chosen and not offered')
      .of(
        pcrs(at(ofQuote?.chosen, 'selected_subjects')).filter(
          (pcr) => pcr !== null && !pcrs(at(ofQuote?.offered, 'available_subjects')).includes(pcr),
        ),
      )
      .is([])
    check('ATT-SELECTION-FORMAT', 'chosen format')
      .of(at(ofList?.chosen, 'format'))
      .isOneOf(listOf(at(ofList?.offered, 'formats')) ?? [])
    const count = Number(at(ofList?.offered, 'entry_count'))
    const offset = Number(at(ofList?.chosen, 'starting_offset'))
    check('ATT-SELECTION-OFFSET', 'chosen starting_offset')
      .of(offset)
      .matches(`from 0 to ${count}`, (from) => from >= 0 && from <= count)
    check('ATT-SELECTION-COUNT', 'chosen entry_count')
      .of(at(ofList?.chosen, 'entry_count') ?? 0)
      .matches(`from 0 to ${count - offset}`, (chosen) => isWithin(chosen, count - offset))
  },
})

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= most
}
