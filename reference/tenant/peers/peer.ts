/** A server or agent that the tenant talks to, as messages describe it. */
export interface Peer {
  readonly name: 'verifier' | 'registrar' | 'agent'
  /** `127.0.0.1:8881` */
  readonly address: string
  /** The options with its address, for messages: `--cv and --cvport`. */
  readonly option: string
  /** Advice for a wrong certificate. */
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
