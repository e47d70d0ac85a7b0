import { base64, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

const DEFAULTS = { role: 'registrar', since: '2.1' } as const

const CAPITALS = scenario({
  ...DEFAULTS,
  until: '2.5',
  id: 'registrar.registration.near.capital-letters',
  title: 'The registrar computes the tag over the id as it is written',
  requirements: ['REG-ACTIVATE-STATUS', 'REG-READ-STATUS', 'REG-DELETE-STATUS'],
  async run({ registrar, verifier, machines, random, check }) {
    const agent = await machines.lightAgent({ id: random.uuid().toUpperCase(), until: 'booted' })
    const { status } = await agent.activate(await agent.openBlob(await agent.register()))
    check('REG-ACTIVATE-STATUS', 'activation of an id in capital letters').of(status).is(200)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-READ-STATUS', 'HTTP status of reading it').of(seen.status).is(200)
    const deleted = await registrar.delete(agent.id, verifier.admin)
    check('REG-DELETE-STATUS', 'HTTP status of deleting it').of(deleted.status).is(200)
  },
})

const TWICE = scenario({
  ...DEFAULTS,
  id: 'registrar.registration.near.twice-before-activation',
  title:
    'The registrar activates an agent whose first registration was never activated, with the contact data of the second',
  requirements: ['REG-ACTIVATE-STATUS', 'REG-READ-STATUS', 'REG-RECORD-IP', 'REG-RECORD-PORT'],
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    await agent.register({ ip: '127.0.0.2', port: '9556' })
    const second = await agent.register({ ip: '127.0.0.3', port: '9557' })
    const { status } = await agent.activate(await agent.openBlob(second))
    check('REG-ACTIVATE-STATUS', 'activation').of(status).is(200)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-READ-STATUS', 'HTTP status of reading it').of(seen.status).is(200)
    check('REG-RECORD-IP', 'ip').of(results(seen, 'ip')).is('127.0.0.3')
    check('REG-RECORD-PORT', 'port')
      .of(results(seen, 'port'))
      .meets({ integer: (port) => port === 9557, text: (port) => port === '9557' })
  },
})

const SAME_AIK = scenario({
  ...DEFAULTS,
  id: 'registrar.registration.near.same-aik',
  title: 'The registrar rejects another TPM that brings the AIK of the registered one',
  requirements: ['REG-OTHER-TPM-REFUSED'],
  variantOf: 'registrar.registration.repeated',
  async run({ registrar, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const { ek_tpm, ekcert } = registrar.registrationOf(await machines.boot())
    const refusal = await agent.register({ ek_tpm, ekcert }) // the defect
    check('REG-OTHER-TPM-REFUSED', 'registration')
      .of(refusal)
      .matches(...REFUSED)
  },
})

/** Exchanges the case of a letter in the middle of the modulus. */
function inOtherCase(aik: string): string {
  const at = [...aik].findIndex((letter, place) => place > aik.length / 2 && /[a-z]/.test(letter))
  return `${aik.slice(0, at)}${aik.charAt(at).toUpperCase()}${aik.slice(at + 1)}`
}

const OTHER_CASE = scenario({
  ...DEFAULTS,
  id: 'registrar.registration.near.aik-in-other-case',
  title: 'The registrar rejects another AIK whose base64 differs in the case of a letter',
  requirements: ['REG-OTHER-TPM-REFUSED'],
  variantOf: 'registrar.registration.repeated',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const aik = inOtherCase(base64(agent.machine.ak.public)) // the defect
    check('REG-OTHER-TPM-REFUSED', 'registration')
      .of(await agent.register({ aik_tpm: aik }))
      .matches(...REFUSED)
  },
})

export default [CAPITALS, TWICE, SAME_AIK, OTHER_CASE]
