import Type, { type Static } from 'typebox'
import { bodyParser, type Parse } from '../../api/bodies/parse-body.ts'

const Id = Type.String({ minLength: 1, maxLength: 80 })
const Base64Text = Type.String({ minLength: 1, maxLength: 8192 })

const Method = Type.Object({
  authentication_class: Type.String(),
  authentication_type: Type.String(),
})

export type AuthenticationMethod = Static<typeof Method>

const CreateSessionRequest = Type.Object({
  data: Type.Object({
    type: Type.Literal('session'),
    attributes: Type.Object({
      agent_id: Id,
      authentication_supported: Type.Array(Method, { minItems: 1, maxItems: 16 }),
    }),
  }),
})

const CompleteSessionRequest = Type.Object({
  data: Type.Object({
    type: Type.Literal('session'),
    id: Type.Optional(Type.String()),
    attributes: Type.Object({
      agent_id: Id,
      authentication_provided: Type.Array(
        Type.Object({
          authentication_class: Type.Literal('pop'),
          authentication_type: Type.Literal('tpm_pop'),
          data: Type.Object({ message: Base64Text, signature: Base64Text }),
        }),
        { minItems: 1, maxItems: 1 },
      ),
    }),
  }),
})

/** POST /v3/sessions (interface document, "Session"). */
export const parseCreateSession = withList(
  'authentication_supported',
  bodyParser(CreateSessionRequest, 'malformed_request'),
)

/** PATCH /v3/sessions/{session_id} */
export const parseCompleteSession = withList(
  'authentication_provided',
  bodyParser(CompleteSessionRequest, 'malformed_request'),
)

/** Accepts one object in place of a list of them: the document's `[]` can be read either way (ambiguity ARROBJ). */
function withList<T>(member: string, parse: Parse<T>): Parse<T> {
  return (body) => {
    const data = objectOf(objectOf(body)?.['data'])
    const attributes = objectOf(data?.['attributes'])
    const single = objectOf(attributes?.[member])
    if (single === undefined) return parse(body)
    return parse({ data: { ...data, attributes: { ...attributes, [member]: [single] } } })
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
}
