import { at } from '../../../conformance/attempt/reply.ts'
import { verifyEvidenceRequest } from '../../../conformance/client/agents/third-party-evidence.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import type { Dialect } from '../../../conformance/dialects/dialect.ts'
import { applyAt, encodeEvidence, type MutationStep, mutationSteps } from '../encode.ts'
import { type Answer, answerOf, validOf } from '../findings/answer.ts'
import { smallerMembers } from '../findings/smaller.ts'
import { contradictionsOfMembers } from '../oracle/contradictions.ts'
import type { MachineModel, Members, Mutation, Recipe } from '../stages.ts'
import type { FuzzInput, Route } from './route.ts'

/** Where a body of verify/evidence goes. */
export interface EvidenceChannel {
  /** As findings name the route. */
  readonly name: string
  readonly dialect: Dialect
  readonly atOnce?: number
  readonly send: (body: string) => Promise<Answer>
}

/** The body of verify/evidence in the form of the dialect, as JSON text. */
export function bodyOf(members: Members, dialect: Dialect): string {
  return JSON.stringify(verifyEvidenceRequest(members, dialect))
}

/** The members of a body by the document's names, none when it is no JSON object. */
function membersOfBody(body: string, dialect: Dialect): Members {
  try {
    const value: unknown = JSON.parse(body)
    const members = dialect['verify-evidence-body'] === 'flat' ? value : at(value, 'data')
    return typeof members === 'object' && members !== null ? named({ ...members }, dialect) : {}
  } catch {
    return {}
  }
}

function named(members: Members, dialect: Dialect): Members {
  const { [dialect['boot-log-name']]: mb_list, ...rest } = members
  return { ...rest, ...(mb_list !== undefined && { mb_list }) }
}

/**
 * A log that only a lenient reader could make something of is known to be wrong by its mutation alone, and only while
 * nothing else was mutated that might have put it right.
 */
function declared(input: FuzzInput, steps: readonly MutationStep[]): FuzzInput {
  const [only, ...others] = steps
  const { breaks, what } = only?.mutation ?? {}
  const isLog = breaks === 'list-form' || breaks === 'boot-fault'
  if (!isLog || what === undefined || others.length > 0) return input
  const seen = input.says
  return {
    ...input,
    says: () => (seen().length > 0 ? seen() : [{ id: breaks, says: what }]),
  }
}

/** POST verify/evidence of a deployment. */
export function verifierChannel(verifier: VerifierClient): EvidenceChannel {
  return {
    ...{ name: 'POST verify/evidence', dialect: verifier.dialect },
    async send(body) {
      const reply = await verifier.patiently(() =>
        verifier.call('verify-evidence', { body, defect: 'a mutant of a fuzzer' }),
      )
      return answerOf(reply, validOf)
    },
  }
}

/** The route of a body of verify/evidence: synthetic evidence, signed anew after each mutation. */
export function evidenceRoute(
  { name, dialect, atOnce = 1, send }: EvidenceChannel,
  baseline: MachineModel,
  mutations: readonly Mutation[],
): Route {
  const withBody = (recipe: Recipe, body: string): FuzzInput => ({
    ...{ recipe, body },
    says: () => contradictionsOfMembers(membersOfBody(body, dialect)),
  })
  return {
    ...{ name, mutations, atOnce },
    share: 8,
    withBody,
    async prepare(recipe) {
      const steps = mutationSteps(recipe, mutations)
      const members = encodeEvidence(baseline, steps)
      return declared(withBody(recipe, applyAt('body', bodyOf(members, dialect), steps)), steps)
    },
    send: ({ body }) => send(body),
    *smaller(body) {
      for (const members of smallerMembers(membersOfBody(body, dialect)))
        yield bodyOf(members, dialect)
    },
  }
}
