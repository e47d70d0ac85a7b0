import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.plain.records-refused',
  title: 'The registrar lists, reads and deletes no record without TLS',
  requirements: ['REG-PLAIN-NO-DATA'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.agents.listed-and-deleted',
  async run({ registrar, verifier, machines, check }) {
    const plain = registrar.withoutTls() // the defect: no TLS
    const agent = await machines.pushAgent({ until: 'activated' })
    for (const [what, ask] of [
      ['list', () => plain.list(verifier.admin)],
      ['read', () => plain.read(agent.id, verifier.admin)],
      ['delete', () => plain.delete(agent.id, verifier.admin)],
    ] as const) {
      const reply = await ask()
      check('REG-PLAIN-NO-DATA', what)
        .of(reply)
        .matches(...REFUSED)
      check('REG-PLAIN-NO-DATA', `whether the answer to ${what} contains the agent's key`)
        .of(reply.text.includes('aik_tpm'))
        .is(false)
    }
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-PLAIN-NO-DATA', 'the record after the refused deletion')
      .of(results(seen, 'ip'))
      .is('127.0.0.1')
  },
})
