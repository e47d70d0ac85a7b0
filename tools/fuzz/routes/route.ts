import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import type { Answer } from '../findings/answer.ts'
import type { Contradiction } from '../oracle/contradiction.ts'
import type { Mutation, Recipe } from '../stages.ts'

/** One request, ready to be sent. */
export interface FuzzInput {
  readonly recipe: Recipe
  /** What is sent, as text. */
  readonly body: string
  /** What the evidence in it says and must not; asked for only when it was taken. */
  readonly says: () => readonly Contradiction[]
}

/** One way into a deployment, with honest evidence that it was seen to take. */
export interface Route {
  /** Method and path for people, `POST /v2.5/verify/evidence`. */
  readonly name: string
  /** What can be mutated on this way. */
  readonly mutations: readonly Mutation[]
  /** Which part of the runs it gets; the parts of all routes are added up. */
  readonly share: number
  /** How many inputs may be on their way at the same time; 1 unless given. */
  readonly atOnce?: number
  /** Makes the request of a recipe; the empty recipe is honest. */
  prepare(recipe: Recipe): Promise<FuzzInput>
  send(input: FuzzInput): Promise<Answer>
  /** An input with that body, where a body can be sent again; undefined where a machine makes each anew. */
  readonly withBody?: (recipe: Recipe, body: string) => FuzzInput
  /** Bodies that say less, largest cut first. */
  readonly smaller?: (body: string) => Iterable<string>
}

/** Why a way is not taken, as a sentence for people. */
export interface NotTaken {
  readonly name: string
  readonly why: string
}

/** The input of a recipe; undefined when the deployment no longer takes a step that comes before it. */
export async function prepared(
  route: Route,
  recipe: FuzzInput['recipe'],
): Promise<FuzzInput | undefined> {
  try {
    return await route.prepare(recipe)
  } catch (error) {
    if (error instanceof PrerequisiteFailed) return undefined
    throw error
  }
}

/** Honest evidence is tried first: where it does not pass, no refusal would mean anything. */
export async function tried(route: Route): Promise<Route | NotTaken> {
  const answer = await route.send(await route.prepare([]))
  if (answer.kind === 'passed') return route
  if (answer.status === 404 || answer.status === 405) return { name: route.name, why: 'not served' }
  return { name: route.name, why: `honest evidence is not taken there (${answer.line})` }
}

export function isTaken(route: Route | NotTaken): route is Route {
  return 'send' in route
}
