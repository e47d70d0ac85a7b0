import { attestationStore } from '../../../storage/attestation-store.ts'
import { verifierStore } from '../../../storage/verifier-store.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import {
  answering,
  attributed,
  itemised,
  type Resource,
  withOperations,
} from './mutated-operations.ts'

const HOUR = 3_600_000

/** A time some milliseconds away from another; nothing where that is not reached. */
function away(text: unknown, by: number): unknown {
  return typeof text === 'string' ? new Date(Date.parse(text) + by).toISOString() : text
}

/** Verifiers that are wrong in one place of how they show attestations. */
export const SHOWN_ATTESTATION_MUTANTS: readonly Mutant[] = [
  {
    id: 'submission-shows-next-index',
    defect: 'the answer to evidence has the index after the one it was sent to',
    parts: answering<Resource>('submit-evidence', (one) => ({
      ...one,
      id: String(Number(one.id) + 1),
    })),
  },
  {
    id: 'read-shows-another-index',
    defect: 'every attestation is shown as the tenth',
    parts: answering<Resource>('read-attestation', (one) => ({ ...one, id: '9' })),
  },
  {
    id: 'self-link-not-served',
    defect: 'links.self has no v before its version',
    parts: answering<Resource>('read-attestation', ({ links, ...one }) => ({
      ...one,
      links: { self: links.self.replace('/v', '/') },
    })),
  },
  {
    id: 'list-of-latest-alone',
    defect: 'the list has the latest attestation alone',
    parts: answering<readonly unknown[]>('list-attestations', (data) => data.slice(-1)),
  },
  {
    id: 'empty-list-null',
    defect: 'the list of an agent without attestations is null',
    parts: answering<readonly unknown[]>('list-attestations', (data) =>
      data.length === 0 ? null : data,
    ),
  },
  {
    id: 'list-of-all-agents',
    defect: 'the list of an agent has those of all agents',
    parts: {
      verifierStore: (database) => ({
        ...verifierStore(database),
        attestations: {
          ...attestationStore(database),
          async *list() {
            yield* await database.selectFrom('attestations').selectAll().execute()
          },
        },
      }),
    },
  },
  {
    id: 'latest-is-first',
    defect: 'latest is the attestation with the lowest index',
    parts: withOperations(['read-attestation'], (shipped) => (call) => {
      const { index } = call.params
      return shipped(
        index === 'latest' ? { ...call, params: { ...call.params, index: '0' } } : call,
      )
    }),
  },
  {
    id: 'latest-shortened',
    defect: 'a read of latest leaves out the evidence',
    parts: withOperations(['read-attestation'], (shipped) => async (call) => {
      const answer = await shipped(call)
      if (call.params['index'] !== 'latest') return answer
      const { data } = answer.body as { readonly data: Resource }
      return {
        ...answer,
        body: { data: { ...data, attributes: { ...data.attributes, evidence: [] } } },
      }
    }),
  },
  {
    id: 'times-left-out',
    defect: 'a time that is not reached is left out of a read',
    parts: attributed('read-attestation', ({ evidence_received_at }) => ({
      evidence_received_at: evidence_received_at ?? undefined,
    })),
  },
  {
    id: 'milliseconds-alone',
    defect: 'times are given in milliseconds',
    parts: attributed('create-attestation', ({ capabilities_received_at }) => ({
      capabilities_received_at: away(capabilities_received_at, 0),
    })),
  },
  {
    id: 'deadline-past',
    defect: 'a challenge has expired before it is sent',
    parts: attributed('create-attestation', ({ capabilities_received_at }) => ({
      challenges_expire_at: away(capabilities_received_at, -1),
    })),
  },
  {
    id: 'verdict-without-time',
    defect: 'the time of completion is not shown',
    parts: attributed('read-attestation', () => ({ verification_completed_at: null })),
  },
  {
    id: 'deadline-moves',
    defect: 'the deadline that is shown is an hour from the evidence',
    parts: attributed('read-attestation', ({ evidence_received_at, challenges_expire_at }) => ({
      challenges_expire_at: away(evidence_received_at, HOUR) ?? challenges_expire_at,
    })),
  },
  {
    id: 'received-at-submission',
    defect: 'capabilities_received_at becomes the time of the evidence',
    parts: attributed('read-attestation', ({ evidence_received_at, capabilities_received_at }) => ({
      capabilities_received_at: away(evidence_received_at, 0) ?? capabilities_received_at,
    })),
  },
  {
    id: 'completed-before-evidence',
    defect: 'verification_completed_at comes from a clock that is an hour behind',
    parts: attributed('read-attestation', ({ verification_completed_at }) => ({
      verification_completed_at: away(verification_completed_at, -HOUR),
    })),
  },
  {
    id: 'boot-time-lost',
    defect: 'system_info shows the time of the request as that of the boot',
    parts: attributed('create-attestation', ({ capabilities_received_at }) => ({
      system_info: { boot_time: capabilities_received_at },
    })),
  },
  {
    id: 'message-not-kept',
    defect: 'of a quote the first 64 bytes are kept',
    parts: itemised('read-attestation', 'data', ({ message, ...data }) => ({
      ...data,
      ...(typeof message === 'string' && { message: message.slice(0, 64) }),
    })),
  },
  {
    id: 'signature-not-kept',
    defect: 'the message is kept as the signature',
    parts: itemised('read-attestation', 'data', (data) => ({
      ...data,
      ...('signature' in data && { signature: data['message'] }),
    })),
  },
  {
    id: 'challenge-not-kept',
    defect: 'the kept challenge is another',
    parts: itemised('read-attestation', 'chosen_parameters', (chosen) => ({
      ...chosen,
      ...('challenge' in chosen && { challenge: 'AAAA' }),
    })),
  },
  {
    id: 'capabilities-not-kept',
    defect: 'of the capabilities those are kept that the verifier has a use for',
    parts: itemised('read-attestation', 'capabilities', ({ evidence_version: _, ...rest }) => rest),
  },
  {
    id: 'data-not-kept',
    defect: 'of evidence the data of the quote alone are shown',
    parts: itemised('read-attestation', 'data', (data) => ('message' in data ? data : {})),
  },
  {
    id: 'evaluation-before-verdict',
    defect: 'evidence that was not evaluated yet is shown as passed',
    parts: attributed('submit-evidence', () => ({ evaluation: 'pass' })),
  },
  {
    id: 'stage-skipped',
    defect: 'evidence is acknowledged as already evaluated',
    parts: attributed('submit-evidence', () => ({ stage: 'verification_complete' })),
  },
  {
    id: 'evidence-before-submission',
    defect: 'the requested evidence is shown as submitted',
    parts: attributed('create-attestation', ({ evidence_requested }) => ({
      evidence: evidence_requested,
    })),
  },
  {
    id: 'negative-wait',
    defect: 'the suggested wait is counted back',
    parts: withOperations(['submit-evidence'], (shipped) => async (call) => {
      const answer = await shipped(call)
      const body = answer.body as object
      return { ...answer, body: { ...body, meta: { seconds_to_next_attestation: -2 } } }
    }),
  },
  {
    id: 'index-shared-by-agents',
    defect: 'the attestations of all agents are counted together',
    parts: withOperations(['create-attestation'], (shipped) => {
      let count = 0
      return async (call) => {
        const answer = await shipped(call)
        const { data } = answer.body as { readonly data: Resource }
        return { ...answer, body: { data: { ...data, id: String(count++) } } }
      }
    }),
  },
]
