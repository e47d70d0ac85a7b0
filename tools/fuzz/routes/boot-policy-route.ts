import { at, isRefusal, isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import { applyAt, mutationSteps } from '../encode.ts'
import { answerOf } from '../findings/answer.ts'
import { smallerMembers } from '../findings/smaller.ts'
import type { FuzzSession } from '../session.ts'
import type { MachineModel, Members, Mutation, Recipe } from '../stages.ts'
import type { FuzzInput, Route } from './route.ts'

/** What can be mutated of a policy where no evidence goes with it. */
function isFit({ id, stage }: Mutation): boolean {
  return stage === 'members' && id !== 'log.absent'
}

function policyIn(body: string): Members {
  const mb_policy: unknown = at(JSON.parse(body), 'mb_policy')
  return mb_policy === undefined ? {} : { mb_policy }
}

/** Stores policies and deletes them: at once, or at the end if it is unknown whether one was stored. */
function storing(session: FuzzSession, verifier: VerifierClient) {
  const made = new Set<string>()
  const remove = async (name: string): Promise<void> => {
    await verifier.call('delete-boot-policy', { as: verifier.admin, params: { name } })
    made.delete(name)
  }
  session.cleanUp(async () => {
    for (const name of [...made]) await remove(name)
  })
  return async (body: string): Promise<Reply> => {
    const name = session.ownId()
    made.add(name)
    const call = { as: verifier.admin, params: { name }, body, defect: 'a mutant of a fuzzer' }
    const reply = await verifier.call('create-boot-policy', call)
    if (isSuccess(reply)) await remove(name)
    if (isRefusal(reply)) made.delete(name)
    return reply
  }
}

/**
 * POST mbpolicies: reference states under a name each, deleted again. Whether a store takes one that it cannot read is
 * left open, so that nothing taken is a false pass here; no answer may be a fault of the server.
 */
export function bootPolicyRoute(
  session: FuzzSession,
  verifier: VerifierClient,
  baseline: MachineModel,
  mutations: readonly Mutation[],
): Route {
  const fit = mutations.filter(isFit)
  const store = storing(session, verifier)
  const honest: Members = { mb_policy: JSON.stringify(baseline.boot?.policy) }
  const withBody = (recipe: Recipe, body: string): FuzzInput => ({ recipe, body, says: () => [] })
  return {
    name: 'POST mbpolicies',
    mutations: fit,
    share: 2,
    withBody,
    prepare: async (recipe) =>
      withBody(recipe, JSON.stringify(applyAt('members', honest, mutationSteps(recipe, fit)))),
    send: async ({ body }) => answerOf(await store(body), () => true),
    *smaller(body) {
      for (const members of smallerMembers(policyIn(body))) yield JSON.stringify(members)
    },
  }
}
