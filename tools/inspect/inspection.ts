/**
 * Results of `assay inspect`. Members are snake_case because these objects are the published JSON
 * (`reports/schema/inspect.schema.json`).
 */
export const KINDS = [
  'quote',
  'attest',
  'signature',
  'pcrs',
  'imalog',
  'eventlog',
  'policy',
  'ekcert',
] as const
export type Kind = (typeof KINDS)[number]

/** An input file. */
export interface Source {
  readonly file: string
  /** Encoding of its bytes: `raw`, `base64`, `r…:…:… text`. */
  readonly form: string
  readonly length: number
}

/** One field of a structure. Offsets count bytes of the structure, from 0. */
export interface Field {
  readonly path: string
  readonly offset: number
  readonly length: number
  /** Lower-case hexadecimal. */
  readonly raw: string
  readonly value: string
  /** Explanation of the field, one clause. */
  readonly means: string
}

export interface Part {
  readonly name: string
  readonly about: string
  /** Encoding of its bytes. */
  readonly form: string
  readonly length: number
  readonly fields: readonly Field[]
}

/** Position at which decoding of a part failed. */
export interface Broken {
  readonly part: string
  readonly offset: number
  readonly path: string
  readonly why: string
}

export interface Fact {
  readonly name: string
  readonly value: string
}

/** Result of a comparison; `holds` is null if an input is missing. */
export interface Comparison {
  readonly id: string
  readonly holds: boolean | null
  readonly says: string
}

export interface Place {
  readonly part: string
  readonly offset: number
  readonly path: string
  readonly says: string
}

/** An irregularity, with its first occurrences. */
export interface Warning {
  readonly id: string
  readonly why: string
  readonly count: number
  readonly places: readonly Place[]
}

export interface EntryField {
  readonly name: string
  readonly offset: number
  readonly length: number
  readonly raw: string
  readonly value: string
  readonly means: string
}

/** One measurement of an IMA list; entries are numbered from 1. */
export interface Entry {
  readonly number: number
  readonly offset: number
  readonly length: number
  readonly pcr: number
  readonly template: string
  readonly template_hash: string
  /** Null for a violation, and if the template data cannot be reconstructed. */
  readonly hash_holds: boolean | null
  readonly violation: boolean
  readonly fields: readonly EntryField[]
}

/** Replayed value of PCR 10 in one bank by one rule. */
export interface ReplayRow {
  readonly bank: string
  readonly rule: 'own-hash' | 'padded-sha1'
  /** Null after an entry with unknown template data. */
  readonly value: string | null
  /** Whether it equals the published value; null without a published value. */
  readonly fits: boolean | null
  /** Number of entries after which the published value is reached; null if never, or without a published value. */
  readonly fits_after: number | null
}

export interface ImaFacts {
  readonly format: 'ascii' | 'binary'
  readonly entries: number
  readonly violations: number
  readonly templates: readonly { readonly name: string; readonly count: number }[]
  readonly boot_aggregate: { readonly entry: number; readonly digest: string } | null
  readonly replay: readonly ReplayRow[]
  /** The entries to show. */
  readonly shown: readonly Entry[]
}

/** One event of a firmware log; events are numbered from 1, a header among them. */
export interface LogEvent {
  readonly number: number
  readonly offset: number
  readonly length: number
  /** PCR of a TPM; in the log of a confidential guest, the register number. */
  readonly pcr: number
  /** `EV_…`, or the number of an unknown type. */
  readonly type: string
  readonly digests: readonly {
    readonly bank: string
    readonly offset: number
    readonly value: string
  }[]
  /**
   * What the digests are computed over: the event data, or `content` that the event describes, according to its type.
   * `neither` if they do not match the data. Null if the hashed bytes are unknown.
   */
  readonly digest_of: 'data' | 'content' | 'neither' | null
  readonly data: { readonly offset: number; readonly length: number; readonly raw: string }
  readonly says: string
}

/** Replayed value of a PCR in one bank. */
export interface LogPcr {
  readonly bank: string
  readonly pcr: number
  readonly value: string
  /** Whether it equals the published value; null without a published value. */
  readonly fits: boolean | null
}

export interface LogFacts {
  readonly format: 'tcg-1.2' | 'tcg-2.0'
  /** Owner of the log according to its header: a confidential guest numbers its registers from 1. */
  readonly of: 'tpm' | 'guest'
  readonly banks: readonly string[]
  readonly events: number
  readonly types: readonly { readonly name: string; readonly count: number }[]
  readonly locality: number
  /** Number of zero or 0xff bytes after the last event. */
  readonly padding: number
  readonly replay: readonly LogPcr[]
  /** The events to show. */
  readonly shown: readonly LogEvent[]
}

export interface PolicyFacts {
  readonly envelope: {
    readonly payload_type: string
    readonly signatures: readonly { readonly keyid: string; readonly length: number }[]
  } | null
  readonly version: number | null
  readonly generator: number | null
  readonly release: number | null
  readonly log_hash_alg: string | null
  readonly paths: number
  readonly digests: readonly { readonly length: number; readonly count: number }[]
  readonly excludes: number
  readonly keyrings: number
  readonly ima_buf: number
  readonly verification_keys: number
}

/** Inspection of one file, or of the files of one quote. */
export interface Inspection {
  readonly kind: Kind
  readonly about: string
  readonly sources: readonly Source[]
  readonly facts: readonly Fact[]
  readonly parts: readonly Part[]
  readonly comparisons: readonly Comparison[]
  readonly warnings: readonly Warning[]
  readonly broken: readonly Broken[]
  readonly ima: ImaFacts | null
  readonly eventlog: LogFacts | null
  readonly policy: PolicyFacts | null
}

/** The output of `assay inspect --json`. */
export interface InspectionReport {
  readonly schema: 'assay.inspect/1'
  /** Whether nothing was broken and no comparison failed. */
  readonly ok: boolean
  readonly inspections: readonly Inspection[]
}
