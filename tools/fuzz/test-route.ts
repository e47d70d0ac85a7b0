import type { AnswerKind } from './findings/answer.ts'
import type { FuzzInput, Route } from './routes/route.ts'
import type { Mutation } from './stages.ts'

/** What a scripted route answers to a body. */
export type Script = (body: string) => AnswerKind

const nothing = (id: string): Mutation => ({
  id,
  stage: 'body',
  what: `has ${id} done to it`,
  change: (body) => body,
})

/** A route without a network: its bodies are the ids of their mutations, and a body with an `x` says what it must not. */
export function scriptedRoute(
  ids: readonly string[],
  script: Script,
): Route & { readonly sent: readonly string[] } {
  const sent: string[] = []
  const withBody: NonNullable<Route['withBody']> = (recipe, body) => ({
    ...{ recipe, body },
    says: () => (body.includes('x') ? [{ id: 'nonce', says: 'has an x' }] : []),
  })
  return {
    ...{ name: 'scripted', mutations: ids.map(nothing), share: 1, withBody, sent },
    prepare: async (recipe): Promise<FuzzInput> =>
      withBody(recipe, recipe.map(({ mutation }) => mutation).join(' ')),
    send: async ({ body }) => {
      sent.push(body)
      const kind = script(body)
      return { kind, line: kind, text: '' }
    },
    *smaller(body) {
      for (let at = 0; at < body.length; at += 1) yield body.slice(0, at) + body.slice(at + 1)
    },
  }
}
