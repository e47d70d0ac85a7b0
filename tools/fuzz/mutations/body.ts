import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { oneOf } from '../mutate-bytes.ts'
import type { Mutation, MutationAt } from '../stages.ts'

function body(
  head: Pick<MutationAt<'body'>, 'id' | 'what' | 'breaks'>,
  change: (body: string, random: SeededRandom) => string,
): Mutation {
  return { ...head, stage: 'body', change }
}

const NO_OBJECTS = ['', ' ', 'null', '[]', '7', '"r"', 'NaN', '{', '\u0000', 'undefined']

/** Mutations of JSON itself, whatever it carries. */
export const BODY_MUTATIONS: readonly Mutation[] = [
  body({ id: 'body.none', what: 'is no JSON object', breaks: 'request-form' }, (_, random) =>
    oneOf(NO_OBJECTS, random),
  ),
  body(
    { id: 'body.cut', what: 'is a JSON document cut off', breaks: 'request-form' },
    (text, random) => text.slice(0, random.below(Math.max(1, text.length))),
  ),
  body(
    { id: 'body.after', what: 'is a JSON document with bytes after it', breaks: 'request-form' },
    (text) => `${text}}`,
  ),
  body({ id: 'body.deep', what: 'has ten thousand brackets in a member' }, (text) =>
    text.replace('{', `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},`),
  ),
  body({ id: 'body.proto', what: 'has members called __proto__ and constructor' }, (text) =>
    text.replace('{', '{"__proto__":{"valid":true},"constructor":{"prototype":{"valid":1}},'),
  ),
  body(
    { id: 'body.control', what: 'has control characters inside a text', breaks: 'request-form' },
    (text) => text.replace('sha256', 'sha\u0001256'),
  ),
]
