import { base64, isSuccess, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.at-once',
  title: 'The registrar accepts one of several TPMs that register one id at the same time',
  requirements: ['REG-OTHER-TPM-AT-ONCE'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check, cleanUp }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const other = await machines.boot()
    const light = await machines.lightAgent({ until: 'booted' })
    const soft = await machines.softAgent({ until: 'booted' })
    cleanUp(() => registrar.delete(agent.id, verifier.admin))
    const others = [other, light.machine, soft.machine].map((machine) =>
      registrar.registrationOf(machine),
    )
    const replies = await Promise.all([
      agent.register(),
      ...[...others, ...others].map((body) => registrar.register(agent.id, body)), // the defect
    ])
    const [one] = replies
    const accepted = replies.flatMap((reply, at) =>
      isSuccess(reply) ? [at && 1 + ((at - 1) % 3)] : [],
    )
    check('REG-OTHER-TPM-AT-ONCE', 'TPMs of four whose registrations were accepted')
      .of(new Set(accepted).size)
      .is(1)
    if (one === undefined || !isSuccess(one)) return
    await agent.activate(await agent.openBlob(one))
    check('REG-OTHER-TPM-AT-ONCE', 'aik_tpm of the record')
      .of(results(await registrar.read(agent.id, verifier.admin), 'aik_tpm'))
      .is(base64(agent.machine.ak.public))
  },
})
