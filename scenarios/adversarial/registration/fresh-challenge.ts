import { results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'adversarial.registration.fresh-challenge',
  title: 'The registrar returns different blobs and challenges for two registrations with one EK',
  requirements: ['REG-CHALLENGE-FRESH'],
  role: 'registrar',
  provesFunction: true,
  since: '2.1',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const first = await agent.register()
    const second = await agent.register()
    // Both use one agent id, so the tags differ if and only if the challenges do.
    check('REG-CHALLENGE-FRESH', 'tag for the second blob')
      .of(await agent.openBlob(second))
      .isNot(await agent.openBlob(first))
    check('REG-CHALLENGE-FRESH', 'the second blob')
      .of(results(second, 'blob'))
      .isNot(results(first, 'blob'))
  },
})
