import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { nearTags } from '../support/near-tags.ts'

export default scenario({
  id: 'registrar.binding.near-tags',
  title:
    'The registrar rejects tags that differ from the right one in one place, however many come',
  requirements: [
    'REG-ACTIVATE-WRONG-TAG',
    'REG-ACTIVATE-STATUS',
    'REG-ACTIVATE-TAG-BINDS-CHALLENGE',
  ],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ machines, check }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    const older = await agent.openBlob(await agent.register())
    const tag = await agent.openBlob(await agent.register())
    for (const { says, of } of nearTags) {
      check('REG-ACTIVATE-WRONG-TAG', `activation with ${says}`)
        .of(await agent.activate(of(tag))) // the defect
        .matches(...REFUSED)
    }
    check('REG-ACTIVATE-TAG-BINDS-CHALLENGE', 'activation with the tag of the older blob')
      .of(await agent.activate(older))
      .matches(...REFUSED)
    const last = await agent.openBlob(await agent.register())
    check('REG-ACTIVATE-STATUS', 'activation with the tag of the last blob')
      .of((await agent.activate(last)).status)
      .is(200)
    await agent.register()
    check('REG-ACTIVATE-TAG-BINDS-CHALLENGE', 'activation of an active agent with its first tag')
      .of(await agent.activate(last))
      .matches(...REFUSED)
    const again = await agent.openBlob(await agent.register())
    check('REG-ACTIVATE-STATUS', 'activation of an active agent with the tag of its last blob')
      .of((await agent.activate(again)).status)
      .is(200)
  },
})
