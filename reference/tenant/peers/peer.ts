/** A server or agent that the tenant talks to, as messages describe it. */
export interface Peer {
  readonly name: 'verifier' | 'registrar' | 'agent'
  /** `127.0.0.1:8881` */
  readonly address: string
  /** What says where it is, for the person: `--cv and --cvport`. */
  readonly option: string
  /** What to do when its certificate is not the right one. */
  readonly trustStep: string
}

/** Something that is asked of a peer; `verb` and `what` make a sentence: "read agent X". */
export interface Question {
  /** Default: GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the version prefix. */
  readonly path: string
  readonly body?: unknown
  readonly verb: string
  readonly what: string
  /** Next step where there is no such thing. */
  readonly ifMissing: string
  /** Next step where there is such a thing already, or it is in use. */
  readonly ifTaken?: string
}
