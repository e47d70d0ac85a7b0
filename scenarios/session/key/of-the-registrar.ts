import { attributes, base64, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.key-of-the-registrar',
  title:
    "The verifier opens no session for the registrar's key if the administrator enrolled another one",
  requirements: ['VER-ADD-AK-RULES'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const other = await agent.machine.createRogueAk()
    await agent.enrol({ ak_tpm: base64(other.public) }) // the defect: not the registered key
    const registered = await agent.proveSession(await agent.openSession())
    check('VER-ADD-AK-RULES', 'evaluation of a proof by the registered key')
      .of(attributes(registered, 'evaluation'))
      .is('fail')
    check('VER-ADD-AK-RULES', 'token')
      .of(attributes(registered, 'token'))
      .isOneOf([undefined, null])
    const proof = { object: other.handle, signer: other.handle }
    const added = await agent.proveSession(await agent.openSession(), proof)
    check('VER-ADD-AK-RULES', 'evaluation of a proof by the enrolled key')
      .of(attributes(added, 'evaluation'))
      .is('pass')
  },
})
