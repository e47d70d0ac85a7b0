import Type from 'typebox'

const Id = Type.String({ minLength: 1, maxLength: 80 })
const Base64Text = Type.String({ minLength: 1, maxLength: 8192 })

/** POST /v3/sessions (interface document, "Session"). */
export const CreateSessionRequest = Type.Object({
  data: Type.Object({
    type: Type.Literal('session'),
    attributes: Type.Object({
      agent_id: Id,
      authentication_supported: Type.Array(
        Type.Object({ authentication_class: Type.String(), authentication_type: Type.String() }),
        { minItems: 1, maxItems: 16 },
      ),
    }),
  }),
})

/** PATCH /v3/sessions/{session_id} */
export const CompleteSessionRequest = Type.Object({
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
