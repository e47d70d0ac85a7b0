/** An agent that a host is to start. */
export interface AgentOrder {
  readonly kind: 'pull' | 'push'
  readonly agentId: string
}

/** The first message to a host. */
export interface HostOrder {
  /** Which of the hosts it is; its ports follow from that. */
  readonly number: number
  readonly agents: readonly AgentOrder[]
  /** An empty directory of its own, with a short path. */
  readonly directory: string
  /** PEM file of the servers' CA. */
  readonly ca: string
  readonly verifierPort: number
  readonly registrarPort: number
  /** Of the node keys of all agents, made beforehand. */
  readonly nodeKey: string
  /** Seconds. */
  readonly interval: number
}

/** An agent that is registered. */
export interface StartedAgent extends AgentOrder {
  /** Of a pull agent: where it listens, and the certificate of its server. */
  readonly port?: number
  readonly certificate?: string
}

/** A finished attestation of an agent, in milliseconds: when it ended, and how long it took. */
export type AttestationTimes = readonly [at: number, took: number]

/** A message from a host. */
export type HostMessage =
  | { readonly said: 'started'; readonly agent: StartedAgent; readonly tpm: number }
  | {
      readonly said: 'done'
      readonly attestations: Readonly<Record<string, readonly AttestationTimes[]>>
      readonly troubles: readonly string[]
    }
  | { readonly said: 'failed'; readonly why: string }
