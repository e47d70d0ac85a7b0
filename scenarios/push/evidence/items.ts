import { at, attributes, isRefusal, listOf, scenario } from '../../../conformance/scenario.ts'
import { editMember } from '../support/edit-member.ts'
import { collectEvidence } from '../support/engine.ts'

const ITEMS = ['data', 'attributes', 'evidence_collected']

type Miss = readonly [requirement: string, says: string, edit: (body: unknown) => unknown]

function typed(of: string, as: string): Miss {
  const says = `${of} called ${as}`
  return ['ATT-COLLECTED-MATCHES', says, (b) => editMember(b, [...ITEMS, of, 'evidence_type'], as)]
}

function without(type: string): Miss {
  return ['ATT-COLLECTED-MISSING', `no ${type}`, (b) => editMember(b, [...ITEMS, type], undefined)]
}

function inPlaceOf(type: string, other: string): Miss {
  const says = `${other} again in place of ${type}`
  const item = (body: unknown) =>
    listOf(at(body, ...ITEMS))?.find((one) => at(one, 'evidence_type') === other)
  return ['ATT-COLLECTED-MISSING', says, (b) => editMember(b, [...ITEMS, type], item(b))]
}

function more(type: string): Miss {
  const says = `one more item, called ${type}`
  const added = (body: unknown) => {
    const items = listOf(at(body, ...ITEMS)) ?? []
    const item = { ...Object(items.at(-1)), evidence_type: type }
    return editMember(body, ITEMS, [...items, item])
  }
  return ['ATT-COLLECTED-MATCHES', says, added]
}

/** Evidence of which one item differs from the requested one, or is missing. */
const MISSES: readonly Miss[] = [
  typed('tpm_quote', 'ima_log'),
  typed('uefi_log', 'ima_log'),
  typed('ima_log', 'uefi_log'),
  without('tpm_quote'),
  without('uefi_log'),
  without('ima_log'),
  inPlaceOf('uefi_log', 'ima_log'),
  inPlaceOf('ima_log', 'uefi_log'),
  inPlaceOf('ima_log', 'tpm_quote'),
  more('other_log'),
]

export default scenario({
  id: 'push.evidence.items',
  title:
    'The verifier passes no evidence of which one item is missing, of another type or too many',
  requirements: ['ATT-COLLECTED-MATCHES', 'ATT-COLLECTED-MISSING', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log', 'uefi_log'],
  variantOf: 'push.evidence.accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.lightAgent({ measuredBoot: true })
    let negotiation = await agent.negotiate()
    const submit = async (edit: Miss[2], odd: { defect?: string }) => {
      const body = await collectEvidence(agent.machine, negotiation, {}, verifier.dialect)
      const params = { agent_id: agent.id, index: negotiation.index }
      const as = agent.credentials
      return verifier.call('submit', { as, params, body: edit(body), ...odd })
    }
    const outcome = async () => attributes(await agent.verdict(negotiation), 'evaluation')
    for (const [requirement, says, edit] of MISSES) {
      const isRefused = isRefusal(await submit(edit, { defect: says })) // the defect
      check(requirement, `outcome of evidence with ${says}`)
        .of(isRefused ? 'refused' : await outcome())
        .isOneOf(['refused', 'fail'])
      if (!isRefused) negotiation = await agent.negotiate()
    }
    await submit((body) => body, {})
    check('ATT-EVALUATION-PASS', 'evaluation of the right items')
      .of(await outcome())
      .is('pass')
  },
})
