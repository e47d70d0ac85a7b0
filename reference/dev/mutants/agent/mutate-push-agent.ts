import { PUSH_AGENT_PARTS, type PushAgentParts } from '../../../agent/push/push-agent-parts.ts'
import type { PushRules } from '../../../agent/push/push-rules.ts'
import { pushRules } from '../../../agent/push/push-rules.ts'
import {
  type JsonClient,
  type JsonQuestion,
  type JsonReply,
  jsonClient,
} from '../../../http-client/json-client.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'

/** A push agent with other parts. */
export function pushing(id: string, defect: string, change: Partial<PushAgentParts>): Mutant {
  return { id: `push.${id}`, defect, parts: { pushAgent: { ...PUSH_AGENT_PARTS, ...change } } }
}

export const withPushRules = (change: Partial<PushRules>): Partial<PushAgentParts> => ({
  rules: { ...pushRules, ...change },
})

type Ask = JsonClient['ask']

/** Passes the requests to both servers through `mutate`. */
export const asking = (
  mutate: (question: JsonQuestion, ask: Ask) => Promise<JsonReply>,
): Partial<PushAgentParts> => ({
  connect: (options) => {
    const client = jsonClient(options)
    return { ...client, ask: (question) => mutate(question, client.ask) }
  },
})

const STEPS = {
  session: /^POST \/v3\/sessions$/,
  proof: /^PATCH \/v3\/sessions\//,
  capabilities: /^POST \/v3\/agents\/.*\/attestations$/,
  evidence: /^PATCH \/v3\/agents\/.*\/attestations\//,
  activation: /\/activate$/,
} as const
export type Step = keyof typeof STEPS

export function isStep({ method = 'GET', path }: JsonQuestion, step: Step): boolean {
  return STEPS[step].test(`${method} ${path}`)
}

/** Mutates the request of one step. */
export const mutating = (step: Step, mutate: (question: JsonQuestion) => JsonQuestion) =>
  asking((question, ask) => ask(isStep(question, step) ? mutate(question) : question))

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** A JSON value with a member changed, or left out: each step of the path is a member, or `*` for every element. */
function changed(
  value: unknown,
  [first, ...rest]: readonly string[],
  to: (was: unknown) => unknown,
): unknown {
  if (first === undefined) return to(value)
  if (Array.isArray(value)) return value.map((one) => changed(one, rest, to))
  if (!isObject(value)) return value
  const [name, type] = first.split('=')
  // `evidence_type=ima_log` skips items of another type.
  if (type !== undefined) return value[name ?? ''] === type ? changed(value, rest, to) : value
  if (!(first in value)) return { ...value, [first]: to(undefined) }
  return { ...value, [first]: changed(value[first], rest, to) }
}

/** Changes the document of a step at a path below `data`. */
export const saying = (step: Step, path: string, to: (was: unknown) => unknown) =>
  mutating(step, (question) => ({
    ...question,
    body: changed(question.body, ['data', ...path.split('.')], to),
  }))
