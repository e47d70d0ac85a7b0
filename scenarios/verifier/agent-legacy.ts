import { results, scenario } from '../../conformance/scenario.ts'
import { ADDRESS, enrolLegacy, LEGACY_MEMBERS } from './support/legacy-enrolment.ts'

export default scenario({
  id: 'verifier.agent-legacy',
  title: 'The verifier adds an agent by the members of the legacy listing',
  requirements: [
    ...LEGACY_MEMBERS.map(([name]) => `LEG-VER-ADD-${name}`),
    ...['LEG-VER-ADD-IP', 'LEG-VER-ADD-PORT', 'LEG-VER-ADD-ALLOWLIST'],
    'LEG-VER-ADD-NO-SUPPORTED-VERSION',
  ],
  role: 'verifier',
  needs: ['ima_log'],
  since: '2.0',
  until: '2.0',
  async run(context) {
    const { machines, check } = context
    const agent = await machines.lightAgent({ until: 'activated', withoutKey: true })
    const { form, sent, reply, record } = await enrolLegacy(context, agent)
    // The document shows no record of 2.0: a member may be absent from it, and has no other value.
    for (const [name, valueIn] of LEGACY_MEMBERS) {
      check(`LEG-VER-ADD-${name}`, 'HTTP status').of(reply.status).is(200)
      if (valueIn !== undefined)
        check(`LEG-VER-ADD-${name}`, 'its value in the record')
          .of(valueIn(results(record)))
          .isOneOf([valueIn(sent), undefined, null])
    }
    const accepted = (word: string) => (reply.status === 200 ? word : 'none')
    for (const [name, member] of [
      ['IP', 'ip'],
      ['PORT', 'port'],
    ] as const)
      check(`LEG-VER-ADD-${name}`, `its name, and ${member} of the record`)
        .of([accepted(form[member]), String(results(record, member) ?? ADDRESS[member])])
        .meets({
          [member]: (seen) => seen.join() === `${member},${ADDRESS[member]}`,
          [`cloudagent_${member}`]: (seen) =>
            seen.join() === `cloudagent_${member},${ADDRESS[member]}`,
        })
    check('LEG-VER-ADD-ALLOWLIST', 'its form, and has_runtime_policy of the record')
      .of([accepted(form.allowlist), results(record, 'has_runtime_policy') ?? 1])
      .meets({
        'the runtime policy': (seen) => seen.join() === 'the runtime policy,1',
        'its older format': (seen) => seen.join() === 'its older format,1',
      })
    check('LEG-VER-ADD-NO-SUPPORTED-VERSION', 'supported_version of the request that is accepted')
      .of(accepted(form.supportedVersion))
      .meets({ absent: (word) => word === 'absent', there: (word) => word === 'there' })
  },
})
