import { base64, isSuccess, REFUSED, results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-v-length',
  title: 'The verifier accepts a V key of 32 bytes and rejects other lengths',
  requirements: ['VER-ADD-V-LENGTH', 'VER-ADD-V-FORM', 'VER-ADD-V-OPTIONAL'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ machines, random, check }) {
    const add = async (v?: Uint8Array) => {
      const agent = await machines.softAgent({ until: 'activated' })
      return agent.enrol(v && { v: base64(v) })
    }
    const good = await add(random.bytes(32))
    check('VER-ADD-V-FORM', 'adding an agent with a key of 32 bytes')
      .of(good)
      .matches('a success: a 2xx status', isSuccess)
    // In base64, 24 bytes have 32 characters.
    for (const length of [1, 24, 31, 33, 48]) {
      const bad = await add(random.bytes(length)) // the defect
      check('VER-ADD-V-LENGTH', `adding one with a key of ${length} bytes`)
        .of(bad)
        .matches(...REFUSED)
    }
    const without = await add()
    check('VER-ADD-V-OPTIONAL', 'adding one without a key')
      .of([without.status, results(without)])
      .is([200, {}])
  },
})
