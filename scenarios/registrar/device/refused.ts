import { type PushAgent, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

type Members = Readonly<Record<string, unknown>>

/** What a device sends that proves nothing: its members, from those that are right. */
interface Case {
  readonly name: string
  readonly title: string
  readonly requirement: 'REG-IAK-PAIR' | 'REG-IAK-CERTIFIED' | 'REG-IAK-CERTIFIES-AIK'
  members(agent: PushAgent, another: () => Promise<PushAgent>): Promise<Members>
}

const HALVES = ['iak_tpm', 'iak_cert', 'idevid_tpm', 'idevid_cert', 'iak_attest', 'iak_sign']
const OTHER_ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

const of = (names: readonly string[], all: Members): Members =>
  Object.fromEntries(names.map((name) => [name, all[name]]))

const HALF_CASES = HALVES.map((missing): Case => {
  return {
    name: `without-${missing.replace('_', '-')}`,
    title: `A device that registers without ${missing} is refused`,
    requirement: 'REG-IAK-PAIR',
    members: async (agent) => ({ ...(await agent.deviceMembers()), [missing]: null }),
  }
})

const CASES: readonly Case[] = [
  ...HALF_CASES,
  {
    name: 'key-of-another-device',
    title: 'An IAK with the certificate of another device is refused',
    requirement: 'REG-IAK-CERTIFIED',
    members: async (agent, another) => ({
      ...(await agent.deviceMembers()),
      ...of(['iak_cert'], await (await another()).deviceMembers()),
    }),
  },
  {
    name: 'signed-by-another-device',
    title: "A certification that another device's IAK signed is refused",
    requirement: 'REG-IAK-CERTIFIES-AIK',
    members: async (agent, another) => ({
      ...(await agent.deviceMembers()),
      ...of(['iak_sign'], await (await another()).deviceMembers()),
    }),
  },
  {
    name: 'for-another-agent',
    title: 'A certification that was made for another agent is refused',
    requirement: 'REG-IAK-CERTIFIES-AIK',
    members: (agent) => agent.deviceMembers({ agentId: OTHER_ID }),
  },
  {
    name: 'of-another-key',
    title: "The certification of another key of the device's TPM is refused",
    requirement: 'REG-IAK-CERTIFIES-AIK',
    async members(agent) {
      const { handle } = await agent.machine.createRogueAk()
      return agent.deviceMembers({ object: handle })
    },
  },
  {
    name: 'quote',
    title: 'A quote by the IAK in place of a certification is refused',
    requirement: 'REG-IAK-CERTIFIES-AIK',
    members: (agent) => agent.deviceMembers({ attestation: 'quote' }),
  },
]

export default CASES.map(({ name, title, requirement, members }) =>
  scenario({
    id: `registrar.device.refused.${name}`,
    title,
    requirements: [requirement],
    role: 'registrar',
    since: '2.1',
    perMajor: true,
    needs: ['device_identity'],
    variantOf: 'registrar.device.accepted',
    async run({ registrar, verifier, machines, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const another = () => machines.pushAgent({ until: 'booted' })
      const refusal = await agent.register(await members(agent, another)) // the defect
      check(requirement, 'registration')
        .of(refusal)
        .matches(...REFUSED)
      const uuids = results(await registrar.list(verifier.admin), 'uuids')
      check(requirement, 'whether it is listed all the same')
        .of(Array.isArray(uuids) ? uuids.includes(agent.id) : undefined)
        .is(false)
    },
  }),
)
