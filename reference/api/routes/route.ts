import type { Action } from '../../authorization/actions.ts'
import type { VersionRange } from '../versions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `envelope` is `{code, status, results}`; `document` is `{data, meta}` of the push endpoints; `file` is a text as it is,
 * whose media type is in the answer's headers.
 */
export type ReplyForm = 'envelope' | 'document' | 'file'

export interface Route<Operation extends string = string> extends Partial<VersionRange> {
  readonly method: Method
  /** Below the version prefix; `unversioned` routes stand at the root. */
  readonly path: string
  readonly operation: Operation
  readonly action: Action
  readonly reply: ReplyForm
  readonly unversioned?: true
  /** How large a request body may be; absent where none is needed. */
  readonly body?: BodySize
}

/**
 * What a request body may hold: `message` is a handful of keys and certificates, `logs` is measurement
 * lists and policies. Anonymous clients send messages only, except for evidence to verify.
 */
type BodySize = 'message' | 'logs'
