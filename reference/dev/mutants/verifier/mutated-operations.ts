import type { Answer, Handler } from '../../../api/call.ts'
import type { VerifierOperation } from '../../../api/routes/verifier.ts'
import { collect } from '../../../platform/collect.ts'
import { verifierOperations } from '../../../verifier/operations.ts'
import type { VerifierParts } from '../../../verifier/verifier-parts.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'

/** The operations that answer with attestations. */
export type AttestationOperation = Extract<
  VerifierOperation,
  'create-attestation' | 'submit-evidence' | 'read-attestation' | 'list-attestations'
>

/** A verifier some of whose operations are others, made around the shipped ones. */
export function withOperations(
  names: readonly AttestationOperation[],
  around: (shipped: Handler, parts: VerifierParts) => Handler,
): Mutant['parts'] {
  return {
    verifierOperations: (parts) => {
      const shipped = verifierOperations(parts)
      const others = names.map((name) => [name, around(shipped[name], parts)])
      return { ...shipped, ...Object.fromEntries(others) }
    },
  }
}

/** A verifier that answers one operation with other `data`. */
export function answering<Data>(
  name: AttestationOperation,
  change: (data: Data) => unknown,
): Mutant['parts'] {
  return withOperations([name], (shipped) => async (call) => {
    const answer = await shipped(call)
    const { elements, ...rest } = answer
    const whole = elements === undefined ? rest.body : { data: await collect(elements) }
    const { data, ...body } = structuredClone(whole) as { readonly data: Data }
    return { ...rest, body: { ...body, data: change(data) } }
  })
}

function copyOf({ body }: Pick<Answer, 'body'>): unknown {
  return structuredClone(body)
}

/** An attestation in an answer, free to be changed. */
export interface Resource {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: { readonly self: string }
}

/** A verifier that shows other attributes of an attestation. */
export function attributed(
  name: AttestationOperation,
  change: (attributes: Resource['attributes']) => Readonly<Record<string, unknown>>,
): Mutant['parts'] {
  return answering<Resource>(name, ({ attributes, ...rest }) => ({
    ...rest,
    attributes: { ...attributes, ...change(attributes) },
  }))
}

type Parts = Readonly<Record<string, unknown>>
type Item = Readonly<Partial<Record<'capabilities' | 'chosen_parameters' | 'data', Parts>>>

/** A verifier that shows evidence or requested evidence wrongly. */
export function itemised(
  name: AttestationOperation,
  part: keyof Item,
  change: (members: Parts) => Parts,
): Mutant['parts'] {
  return attributed(name, (attributes) => {
    const list = ['evidence', 'evidence_requested'].find((one) => attributes[one] !== undefined)
    if (list === undefined) return {}
    const items = attributes[list] as readonly Item[]
    return { [list]: items.map((item) => ({ ...item, [part]: change(item[part] ?? {}) })) }
  })
}

/** A verifier that reads the items of a request otherwise, offered ones or collected ones. */
export function reading(
  name: AttestationOperation,
  change: (item: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Mutant['parts'] {
  return withOperations([name], (shipped) => (call) => {
    const body = copyOf(call)
    const attributes = Object(Object(Object(body)['data'])['attributes'])
    for (const list of ['evidence_supported', 'evidence_collected'])
      if (Array.isArray(attributes[list])) attributes[list] = attributes[list].map(change)
    return shipped({ ...call, body })
  })
}
