import { type PushAgent, REFUSED, type Reply, scenario } from '../../conformance/scenario.ts'
import { checkAnsweredAlike } from './support/registration-family.ts'

/** A tag that must not activate, sent in place of the right one. */
interface WrongTag {
  readonly name: string
  readonly title: string
  readonly requirement: string
  /** Returns the tag to send. The agent is registered and not yet activated. */
  tagFor(agent: PushAgent, another: () => Promise<PushAgent>): Promise<string>
}

const rightTag = async (agent: PushAgent) => agent.openBlob(await agent.register())
const OTHER_ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

const WRONG_TAGS: readonly WrongTag[] = [
  {
    name: 'empty-tag',
    title: 'The registrar rejects an activation with an empty tag',
    requirement: 'REG-ACTIVATE-WITHOUT-TAG',
    tagFor: async () => '',
  },
  {
    name: 'tag-of-another-agent',
    title: "The registrar rejects an activation with another agent's tag",
    requirement: 'REG-ACTIVATE-WRONG-TAG',
    tagFor: async (_, another) => rightTag(await another()),
  },
  {
    name: 'tag-for-another-id',
    title:
      'The registrar rejects an activation whose tag is the right challenge keyed to another id',
    requirement: 'REG-ACTIVATE-TAG-BINDS-ID',
    tagFor: async (agent) => agent.openBlob(await agent.register(), OTHER_ID),
  },
  {
    name: 'tag-of-older-blob',
    title: 'The registrar rejects an activation with the tag of an older blob',
    requirement: 'REG-ACTIVATE-TAG-BINDS-CHALLENGE',
    async tagFor(agent) {
      const older = await rightTag(agent)
      await agent.register()
      return older
    },
  },
]

/** A tag for which the document leaves the answer open: upper case, another encoding, or the right tag sent twice. */
interface OpenTag {
  readonly name: string
  readonly title: string
  readonly silent: string
  tagFor(agent: PushAgent): Promise<string>
}

const OPEN_TAGS: readonly OpenTag[] = [
  {
    name: 'upper-case-tag',
    title: 'The registrar answers an activation with the right tag in upper case consistently',
    silent: 'REG-ACTIVATE-TAG-ORDER',
    tagFor: async (agent) => (await rightTag(agent)).toUpperCase(),
  },
  {
    name: 'base64-tag',
    title: 'The registrar answers an activation with the right tag in base64 consistently',
    silent: 'REG-ACTIVATE-TAG-ORDER',
    tagFor: async (agent) => Buffer.from(await rightTag(agent), 'hex').toString('base64'),
  },
  {
    name: 'tag-sent-again',
    title: 'The registrar answers a second activation with the right tag consistently',
    silent: 'REG-ACTIVATE-TWICE',
    async tagFor(agent) {
      const tag = await rightTag(agent)
      await agent.activate(tag)
      return tag
    },
  },
]

/** An activation returns no results, so only its status shows success. */
const isTaken = ({ status }: Reply) => status === 200

const common = {
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
} as const

export default [
  ...WRONG_TAGS.map(({ name, title, requirement, tagFor }) =>
    scenario({
      ...common,
      id: `adversarial.activation.${name}`,
      title,
      requirements: [requirement, 'REG-ACTIVATE-PROVES'],
      async run({ registrar, verifier, machines, check }) {
        const agent = await machines.pushAgent({ until: 'booted' })
        const another = () => machines.pushAgent({ until: 'booted' })
        await agent.register()
        const tag = await tagFor(agent, another) // the defect
        check(requirement, 'activation')
          .of(await agent.activate(tag))
          .matches(...REFUSED)
        check('REG-ACTIVATE-PROVES', 'reading the record')
          .of(await registrar.read(agent.id, verifier.admin))
          .matches(...REFUSED)
      },
    }),
  ),
  ...OPEN_TAGS.map(({ name, title, silent, tagFor }) =>
    scenario({
      ...common,
      id: `adversarial.activation.${name}`,
      title,
      requirements: ['REG-ACTIVATE-ANSWERED', silent],
      async run(context) {
        const agent = await context.machines.pushAgent({ until: 'booted' })
        const tag = await tagFor(agent) // the defect
        const either = { answered: 'REG-ACTIVATE-ANSWERED', silent, isTaken }
        await checkAnsweredAlike(context, `e5-55-${name}`, title, () => agent.activate(tag), either)
      },
    }),
  ),
  scenario({
    ...common,
    id: 'adversarial.activation.before-registration',
    title: 'The registrar rejects the activation of an id that never registered',
    requirements: ['REG-ACTIVATE-UNREGISTERED'],
    async run({ registrar, machines, random, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const stranger = random.uuid()
      // the defect: the registration belongs to another id
      const tag = await agent.openBlob(await agent.register(), stranger)
      check('REG-ACTIVATE-UNREGISTERED', 'activation')
        .of(await registrar.activate(stranger, tag))
        .matches(...REFUSED)
    },
  }),
]
