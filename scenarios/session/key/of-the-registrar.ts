import { attributes, base64, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.key-of-the-registrar',
  title: "The registrar's key opens no session if the administrator enrolled another key",
  requirements: ['VER-ADD-AK-RULES'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const other = await agent.machine.createRogueAk()
    await agent.enrol({ ak_tpm: base64(other.public) }) // the defect: not the key that registered
    const registered = await agent.proveSession(await agent.openSession())
    check('VER-ADD-AK-RULES', 'evaluation of a proof by the key that registered')
      .of(attributes(registered, 'evaluation'))
      .is('fail')
    check('VER-ADD-AK-RULES', 'token')
      .of(attributes(registered, 'token'))
      .isOneOf([undefined, null])
    const proof = { object: other.handle, signer: other.handle }
    const added = await agent.proveSession(await agent.openSession(), proof)
    check('VER-ADD-AK-RULES', 'evaluation of a proof by the key that the administrator gave')
      .of(attributes(added, 'evaluation'))
      .is('pass')
  },
})
