import { type Handler, parameter } from '../../../api/call.ts'
import type { RegistrarOperation } from '../../../api/routes/registrar.ts'
import { ApiError } from '../../../errors.ts'
import { registrarOperations } from '../../../registrar/operations.ts'
import type { RegistrarParts } from '../../../registrar/registrar-parts.ts'
import type { RegistrationRow } from '../../../storage/databases/database.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'

/** A registrar one of whose operations is another, made around the shipped one. */
function withOperation(
  name: RegistrarOperation,
  around: (shipped: Handler, parts: RegistrarParts) => Handler,
): Mutant['parts'] {
  return {
    registrarOperations: (parts, served) => {
      const shipped = registrarOperations(parts, served)
      return { ...shipped, [name]: around(shipped[name], parts) }
    },
  }
}

/** A registration after which the record is changed once more. */
function registeredAnd(change: (row: RegistrationRow) => RegistrationRow): Mutant['parts'] {
  return withOperation('register-agent', (shipped, { store }) => async (call) => {
    const answer = await shipped(call)
    const id = call.params['agent_id'] ?? String(Object(call.body)['agent_id'])
    await store.change(id, (row) => row && change(row))
    return answer
  })
}

/** An activation with a mutated refusal of wrong tags. */
function tagRefused(
  because: (row: RegistrationRow, refusal: ApiError, parts: RegistrarParts) => Promise<unknown>,
): Mutant['parts'] {
  return withOperation('activate-agent', (shipped, parts) => async (call) => {
    try {
      return await shipped(call)
    } catch (refusal) {
      const row = await parts.store.find(parameter(call, 'agent_id'))
      if (row !== undefined && refusal instanceof ApiError) await because(row, refusal, parts)
      throw refusal
    }
  })
}

/** Registrars that keep their records wrongly. */
export const RECORD_MUTANTS: readonly Mutant[] = [
  {
    id: 'regcount-frozen',
    defect: 'regcount is always 1',
    parts: registeredAnd((row) => ({ ...row, regcount: 1 })),
  },
  {
    id: 'regcount-reset',
    defect: 'every second registration begins to count anew',
    parts: registeredAnd((row) => ({ ...row, regcount: row.regcount === 3 ? 1 : row.regcount })),
  },
  {
    id: 'replay-replaces-contact',
    defect: 'a registration takes effect before its blob is opened',
    parts: registeredAnd((row) => ({ ...row, ...JSON.parse(row.pending ?? '{}') })),
  },
  {
    id: 'wrong-tag-deactivates',
    defect: 'a wrong tag makes an active record inactive',
    parts: tagRefused((row, _, { store }) =>
      store.change(row.agent_id, () => ({ ...row, active: 0 })),
    ),
  },
  {
    id: 'expected-tag-told',
    defect: 'the refusal of a tag reveals the expected one',
    parts: tagRefused(({ expected_tag }) => {
      throw new ApiError('malformed_request', `auth_tag: expected ${expected_tag}`)
    }),
  },
  {
    id: 'list-unordered',
    defect: 'the list is in no order',
    parts: withOperation('list-agents', (_, { store }) => async () => {
      const ids = await store.list()
      return { body: { uuids: [...ids.slice(1), ...ids.slice(0, 1)].reverse() } }
    }),
  },
  {
    id: 'list-of-all-registrations',
    defect: 'an agent is listed as often as it registered',
    parts: withOperation('list-agents', (_, { store }) => async () => {
      const rows = await Promise.all((await store.list()).map((id) => store.find(id)))
      return { body: { uuids: rows.flatMap((row) => Array(row?.regcount).fill(row?.agent_id)) } }
    }),
  },
  {
    id: 'delete-does-nothing',
    defect: 'a deletion has a reply with content',
    parts: withOperation('delete-agent', () => async () => ({})),
  },
  {
    id: 'deep-quote-activates',
    defect: 'any deep quote activates',
    parts: withOperation('activate-virtual-agent', (_, { store }) => async (call) => {
      await store.change(parameter(call, 'agent_id'), (row) => row && { ...row, active: 1 })
      return {}
    }),
  },
  {
    id: 'plain-serves-all',
    defect: 'without TLS everything is served, to every client',
    parts: { plainRoutes: (routes) => routes.map((row) => ({ ...row, action: 'read_version' })) },
  },
]
