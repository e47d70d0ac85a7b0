import { isSuccess } from '../attempt/reply.ts'
import type { VerifierStep } from './story.ts'
import { heard } from './verifier-model.ts'

const add: VerifierStep = {
  name: 'add the agent',
  weight: 12,
  requirements: ['VER-ADD-STATUS'],
  possible: ({ model }) => !model.enrolled,
  async run(story) {
    const { agent, context, policy, kept } = story
    const reply = await agent.enrol({ runtime_policy: policy })
    context.check('VER-ADD-STATUS', 'HTTP status of the addition').of(reply.status).is(200)
    if (!isSuccess(reply)) return
    kept.negotiations.clear()
    kept.sent = undefined
    const { enrolment } = story.model
    const added = { enrolled: true, enrolment: enrolment + 1, attestations: [] }
    story.model = heard({ ...story.model, ...added }, 'added', story.now())
  },
}

const remove: VerifierStep = {
  name: 'delete the agent',
  requirements: ['VER-DELETE-200', 'VER-DELETE-REMOVES'],
  possible: ({ model }) => model.enrolled,
  async run(story) {
    const { agent, context } = story
    const reply = await context.verifier.deleteAgent(agent.id)
    context.check('VER-DELETE-200', 'HTTP status of the deletion').of(reply.status).is(200)
    const read = await context.verifier.readAgent(agent.id)
    context
      .check('VER-DELETE-REMOVES', 'the agent is read afterwards')
      .of(isSuccess(read))
      .is(false)
    story.model = { ...story.model, enrolled: false, attestations: [] }
  },
}

const reactivate: VerifierStep = {
  name: 'reactivate the agent',
  requirements: ['VER-REACTIVATE-200'],
  possible: ({ model }) => model.enrolled,
  async run(story) {
    const { agent, context } = story
    const { verifier } = context
    const params = { agent_id: agent.id }
    const reply = await verifier.call('reactivate', { as: verifier.admin, params })
    context.check('VER-REACTIVATE-200', 'HTTP status of the reactivation').of(reply.status).is(200)
    story.model = heard(story.model, 'reactivated', story.now())
  },
}

/** What an administrator does. */
export const ADMIN_STEPS: readonly VerifierStep[] = [add, remove, reactivate]
