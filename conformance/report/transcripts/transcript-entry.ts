/** What a transcript records; members are snake_case, as in the published JSON. */

export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface TlsFacts {
  readonly protocol: string
  readonly resumed: boolean
  /** Subject of the certificate that the client presented; absent without one. */
  readonly client_certificate?: string
  readonly server_certificate_sha256?: string
}

/** One HTTP exchange. Secrets are already replaced by `[redacted …]`. */
export interface WireEntry {
  readonly lane: 'wire'
  /** Milliseconds since the scenario began. */
  readonly at_ms: number
  readonly ms: number
  /** The identity of the client: `admin`, `agent 0f3c…`, `anonymous`. */
  readonly speaker: string
  readonly request: WireRequest
  readonly tls?: TlsFacts
  readonly response?: WireResponse
  /** Why there was no response, e.g. `ECONNREFUSED`. */
  readonly failure?: string
  /** The subject sent the request, to a server that the harness plays. Not in reports. */
  readonly by_subject?: true
  /** The operation of the subject that was asked for: `GET /agents/{agent_id} of the verifier`. Not in reports. */
  readonly operation?: string
}

/** One TPM command and its response, as recorded by the broker. */
export interface TpmEntry {
  readonly lane: 'tpm'
  readonly at_ms: number
  readonly ms: number
  readonly machine: string
  /** Specification spelling, e.g. `TPM2_Quote`. */
  readonly command: string
  readonly detail: string
  /** Specification spelling, e.g. `TPM_RC_SUCCESS`. */
  readonly response_code: string
  readonly command_hex: string
  readonly response_hex: string
}

/** A sentence of the harness, such as its next step, or the byte that it changed. */
export interface NoteEntry {
  readonly lane: 'note'
  readonly at_ms: number
  readonly text: string
}

export type TranscriptEntry = WireEntry | TpmEntry | NoteEntry
