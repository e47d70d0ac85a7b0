import { isSuccess } from '../attempt/reply.ts'
import type { VerifierStep } from './sequence.ts'
import { afterEvent } from './verifier-model.ts'

const add: VerifierStep = {
  name: 'add the agent',
  weight: 12,
  requirements: ['VER-ADD-STATUS'],
  possible: ({ model }) => !model.enrolled,
  async run(sequence) {
    const { agent, context, policy, kept } = sequence
    const reply = await agent.enrol({ runtime_policy: policy })
    context.check('VER-ADD-STATUS', 'HTTP status of the addition').of(reply.status).is(200)
    if (!isSuccess(reply)) return
    kept.negotiations.clear()
    kept.sent = undefined
    const { enrolment } = sequence.model
    const added = { enrolled: true, enrolment: enrolment + 1, attestations: [] }
    sequence.model = afterEvent({ ...sequence.model, ...added }, 'added', sequence.now())
  },
}

const remove: VerifierStep = {
  name: 'delete the agent',
  requirements: ['VER-DELETE-200', 'VER-DELETE-REMOVES'],
  possible: ({ model }) => model.enrolled,
  async run(sequence) {
    const { agent, context } = sequence
    const reply = await context.verifier.deleteAgent(agent.id)
    context.check('VER-DELETE-200', 'HTTP status of the deletion').of(reply.status).is(200)
    const read = await context.verifier.readAgent(agent.id)
    context
      .check('VER-DELETE-REMOVES', 'the agent is read afterwards')
      .of(isSuccess(read))
      .is(false)
    sequence.model = { ...sequence.model, enrolled: false, attestations: [] }
  },
}

const reactivate: VerifierStep = {
  name: 'reactivate the agent',
  requirements: ['VER-REACTIVATE-200'],
  possible: ({ model }) => model.enrolled,
  async run(sequence) {
    const { agent, context } = sequence
    const { verifier } = context
    const params = { agent_id: agent.id }
    const reply = await verifier.call('reactivate', { as: verifier.admin, params })
    context.check('VER-REACTIVATE-200', 'HTTP status of the reactivation').of(reply.status).is(200)
    sequence.model = afterEvent(sequence.model, 'reactivated', sequence.now())
  },
}

/** Steps of the administrator. */
export const ADMIN_STEPS: readonly VerifierStep[] = [add, remove, reactivate]
