import { type PushAgent, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

type Members = Readonly<Record<string, unknown>>

/** A request of a device that proves nothing: its members, computed from the valid ones. */
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
    title: `The registrar rejects a device without ${missing}`,
    requirement: 'REG-IAK-PAIR',
    members: async (agent) => ({ ...(await agent.deviceMembers()), [missing]: null }),
  }
})

const CASES: readonly Case[] = [
  ...HALF_CASES,
  {
    name: 'without-certification',
    title: 'The registrar rejects a device without iak_attest and iak_sign',
    requirement: 'REG-IAK-PAIR',
    members: async (agent) => ({
      ...(await agent.deviceMembers()),
      ...{ iak_attest: null, iak_sign: null },
    }),
  },
  {
    name: 'key-of-another-device',
    title: 'The registrar rejects an IAK with the certificate of another device',
    requirement: 'REG-IAK-CERTIFIED',
    members: async (agent, another) => ({
      ...(await agent.deviceMembers()),
      ...of(['iak_cert'], await (await another()).deviceMembers()),
    }),
  },
  {
    name: 'signed-by-another-device',
    title: "The registrar rejects a certification signed by another device's IAK",
    requirement: 'REG-IAK-CERTIFIES-AIK',
    members: async (agent, another) => ({
      ...(await agent.deviceMembers()),
      ...of(['iak_sign'], await (await another()).deviceMembers()),
    }),
  },
  {
    name: 'for-another-agent',
    title: 'The registrar rejects a certification for another agent',
    requirement: 'REG-IAK-CERTIFIES-AIK',
    members: (agent) => agent.deviceMembers({ agentId: OTHER_ID }),
  },
  {
    name: 'of-another-key',
    title: "The registrar rejects the certification of another key of the device's TPM",
    requirement: 'REG-IAK-CERTIFIES-AIK',
    async members(agent) {
      const { handle } = await agent.machine.createRogueAk()
      return agent.deviceMembers({ object: handle })
    },
  },
  {
    name: 'quote',
    title: 'The registrar rejects a quote by the IAK in place of a certification',
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
    needs: ['device_identity'],
    variantOf: 'registrar.device.accepted',
    async run({ registrar, verifier, machines, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const another = () => machines.pushAgent({ until: 'booted' })
      const refusal = await agent.register(await members(agent, another)) // the defect
      const isRefused = check(requirement, 'registration')
        .of(refusal)
        .matches(...REFUSED)
      if (!isRefused) return
      const uuids = results(await registrar.list(verifier.admin), 'uuids')
      check(requirement, 'whether it is listed despite the refusal')
        .of(Array.isArray(uuids) ? uuids.includes(agent.id) : undefined)
        .is(false)
    },
  }),
)
