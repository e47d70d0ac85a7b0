import { isSuccess, NO_SERVER_ERROR, REFUSED, scenario } from '../../../conformance/scenario.ts'

/** Bodies of an activation that have the tag under no name, in no text, or not at all. */
const DEFECTS: readonly (readonly [what: string, of: (tag: string) => unknown])[] = [
  ['no member', () => ({})],
  ['null', () => ({ auth_tag: null })],
  ['true', () => ({ auth_tag: true })],
  ['a number', () => ({ auth_tag: 0 })],
  ['the right tag in a list', (tag) => ({ auth_tag: [tag] })],
  ['the right tag in an object', (tag) => ({ auth_tag: { auth_tag: tag } })],
  ['the right tag under another name', (tag) => ({ AUTH_TAG: tag })],
  ['a list around the body', (tag) => [{ auth_tag: tag }]],
  ['the tag as the body', (tag) => JSON.stringify(tag)],
]

export default scenario({
  id: 'registrar.registration.without-tag',
  title:
    'The registrar rejects an activation without the tag, or with it in another type, without effect',
  requirements: ['REG-ACTIVATE-WITHOUT-TAG', 'REG-ACTIVATE-ANSWERED', 'REG-ACTIVATE-PROVES'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const tag = await agent.openBlob(await agent.register())
    for (const [what, of] of DEFECTS) {
      const sent = { params: { agent_id: agent.id }, body: of(tag), defect: what }
      const reply = await registrar.call('activate', sent) // the defect
      check('REG-ACTIVATE-WITHOUT-TAG', `an activation with ${what}`)
        .of(reply)
        .matches('no success', (one) => !isSuccess(one))
      check('REG-ACTIVATE-ANSWERED', `an activation with ${what}`)
        .of(reply)
        .matches(...NO_SERVER_ERROR)
      check('REG-ACTIVATE-PROVES', `reading the record after ${what}`)
        .of(await registrar.read(agent.id, verifier.admin))
        .matches(...REFUSED)
    }
    check('REG-ACTIVATE-WITHOUT-TAG', 'the activation with the tag')
      .of(await agent.activate(tag))
      .matches('a success', isSuccess)
  },
})
