import { type SelectQueryBuilder, sql } from 'kysely'
import { agentNamed } from './agent-store.ts'
import type {
  AgentRow,
  AttestationRow,
  VerifierDatabase,
  VerifierSchema,
} from './databases/database.ts'
import { prepareQuery, prepareWrite } from './databases/prepare-query.ts'

type Row = AttestationRow
type OfAgent = Pick<Row, 'agent_id'>
type At = Pick<Row, 'agent_id' | 'index'>
type AtStage = Pick<Row, 'agent_id' | 'index' | 'enrolment' | 'stage'>
type OfEnrolment = Pick<Row, 'agent_id' | 'enrolment'>

/** Attestations of a list that are in memory at a time; each may have megabytes of evidence. */
const READ_AT_ONCE = 4

/** Bytes that an attestation counts for in addition to its evidence. */
const ROW = 1024

/** The columns of the newest attestation that decide the index of the next. */
interface Last {
  readonly index: number
  readonly bytes_before: number
  /** Bytes of its evidence. */
  readonly size: number
}

/** The index of the attestation after `last`. */
export function after(last: Last | undefined): Pick<Row, 'index' | 'bytes_before'> {
  if (last === undefined) return { index: 0, bytes_before: 0 }
  return { index: last.index + 1, bytes_before: last.bytes_before + ROW + last.size }
}

/** The queries of an attestation cycle, each prepared once. */
export function attestationQueries(database: VerifierDatabase) {
  return {
    find: prepareQuery(database, (on, { agent_id, index }: At) =>
      ofAgent(on, agent_id).selectAll().where('index', '=', index),
    ),
    latest: prepareQuery(database, (on, { agent_id }: OfAgent) =>
      newest(ofAgent(on, agent_id).selectAll()),
    ),
    progress: prepareQuery(database, (on, { agent_id }: OfAgent) =>
      newest(ofAgent(on, agent_id).select(['stage', 'evidence_received_at'])),
    ),
    following: prepareQuery(database, (on, { agent_id, index }: At) =>
      ofAgent(on, agent_id)
        .selectAll()
        .where('index', '>', index)
        .orderBy('index')
        .limit(sql.lit(READ_AT_ONCE)),
    ),
    last: prepareQuery(database, (on, { agent_id }: OfAgent) =>
      newest(
        ofAgent(on, agent_id).select([
          'index',
          'bytes_before',
          ({ fn }) => fn<number>('octet_length', ['evidence']).as('size'),
        ]),
      ),
    ),
    insert: prepareWrite(database, (on, row: Row) => on.insertInto('attestations').values(row)),
    prune: prepareQuery(database, (on, at: OfAgent & { readonly bytes: number }) =>
      on
        .deleteFrom('attestations')
        .where('agent_id', '=', at.agent_id)
        .where('bytes_before', '<', at.bytes)
        .where('stage', '!=', 'evaluating_evidence'),
    ),
    advance: prepareWrite(database, (on, change: Partial<Row>, at: AtStage) =>
      on
        .updateTable('attestations')
        .set(change)
        .where('agent_id', '=', at.agent_id)
        .where('index', '=', at.index)
        .where('enrolment', '=', at.enrolment)
        .where('stage', '=', at.stage),
    ),
    holdEnrolment: prepareQuery(database, (on, { agent_id }: OfAgent) =>
      on.selectFrom('agents').select('enrolment').where('agent_id', '=', agent_id).forUpdate(),
    ),
    holdAgent: prepareQuery(database, (on, { agent_id }: OfAgent) =>
      agentNamed(on, agent_id).forUpdate(),
    ),
    changeAgent: prepareWrite(database, (on, change: Partial<AgentRow>, at: OfEnrolment) =>
      on
        .updateTable('agents')
        .set(change)
        .where('agent_id', '=', at.agent_id)
        .where('enrolment', '=', at.enrolment),
    ),
  }
}

function ofAgent(database: VerifierDatabase, agentId: string) {
  return database.selectFrom('attestations').where('agent_id', '=', agentId)
}

function newest<Selected>(query: SelectQueryBuilder<VerifierSchema, 'attestations', Selected>) {
  return query.orderBy('index', 'desc').limit(1)
}
