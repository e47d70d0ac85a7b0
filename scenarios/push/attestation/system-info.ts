import { at, attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { editMember } from '../support/edit-member.ts'
import { attestationIndex } from '../support/engine.ts'

/** The document names `boot_time` as an example; a verifier may refuse other members, or leave them out. */
const POSTED: readonly Readonly<Record<string, unknown>>[] = [
  { boot_time: '2026-01-02T03:04:05+02:00' },
  { boot_time: '2026-01-02T03:04:05-05:30', assay_text: 'text', assay_object: { list: [1, null] } },
  { boot_time: '2026-01-02T03:04:06Z', assay_text: 'another text' },
  { assay_text: 'a text without boot_time' },
]

export default scenario({
  id: 'push.attestation.system-info',
  title: 'The verifier keeps system_info of each attestation, with the time zone of boot_time',
  requirements: ['ATT-SYSTEM-INFO-KEPT'],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const params = { agent_id: agent.id }
    const begun = []
    for (const info of POSTED) {
      const body = editMember(agent.capabilities(), ['data', 'attributes', 'system_info'], info)
      const isUsual = Object.keys(info).join() === 'boot_time'
      const odd = isUsual ? {} : { defect: 'other members of system_info' }
      const reply = await verifier.call('negotiate', {
        ...{ as: agent.credentials, params, body },
        ...odd,
      })
      observe('system_info', `status of ${Object.keys(info).join(', ')}`, reply.status)
      if (!isRefusal(reply) || isUsual) begun.push({ info, reply })
    }
    for (const { info, reply } of begun) {
      const read = await verifier.attestation(
        agent.id,
        attestationIndex(at(reply.body, 'data')) ?? 'latest',
      )
      for (const [what, seen] of [
        ['answer', reply],
        ['read', read],
      ] as const)
        for (const [name, value] of Object.entries({ boot_time: undefined, ...info }))
          check('ATT-SYSTEM-INFO-KEPT', `${name} of the ${what}, a time in milliseconds`)
            .of(comparable(name, attributes(seen, 'system_info', name)))
            .isOneOf(allowed(name, value))
    }
  },
})

function comparable(name: string, value: unknown): unknown {
  return name === 'boot_time' && value !== undefined && value !== null
    ? Date.parse(String(value))
    : value
}

function allowed(name: string, sent: unknown): readonly unknown[] {
  if (sent === undefined) return [undefined, null]
  return name === 'boot_time' ? [comparable(name, sent)] : [sent, undefined]
}
