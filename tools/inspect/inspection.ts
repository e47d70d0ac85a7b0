/**
 * What `assay inspect` finds. Wire spelling is snake_case because these objects *are* the published JSON
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

/** A file as it was given. */
export interface Source {
  readonly file: string
  /** How its bytes were written: `raw`, `base64`, `r…:…:… text`. */
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
  /** One clause that says what the field is, to someone who has never seen one. */
  readonly means: string
}

export interface Part {
  readonly name: string
  readonly about: string
  /** How its bytes were written. */
  readonly form: string
  readonly length: number
  readonly fields: readonly Field[]
}

/** Where a part cannot be read any further. */
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

/** What was compared; null where something is missing that it needs. */
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

/** Something a reader should know, with the first places it was seen at. */
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
  /** Null for a violation, which has none, and where the template data could not be made again. */
  readonly hash_holds: boolean | null
  readonly violation: boolean
  readonly fields: readonly EntryField[]
}

/** PCR 10 as a list replays to it, in one bank under one rule. */
export interface ReplayRow {
  readonly bank: string
  readonly rule: 'own-hash' | 'padded-sha1'
  /** Null where an entry of unknown template data came before. */
  readonly value: string | null
  /** Whether it is the published value; null without one. */
  readonly fits: boolean | null
  /** After how many entries the published value was reached; null when never, or without one. */
  readonly fits_after: number | null
}

export interface ImaFacts {
  readonly format: 'ascii' | 'binary'
  readonly entries: number
  readonly violations: number
  readonly templates: readonly { readonly name: string; readonly count: number }[]
  readonly boot_aggregate: { readonly entry: number; readonly digest: string } | null
  readonly replay: readonly ReplayRow[]
  /** The entries that were asked for. */
  readonly shown: readonly Entry[]
}

/** One event of a firmware log; events are numbered from 1, a header among them. */
export interface LogEvent {
  readonly number: number
  readonly offset: number
  readonly length: number
  /** Of a TPM; in the log of a confidential guest the number of a register. */
  readonly pcr: number
  /** `EV_…`, or its number where it has no name. */
  readonly type: string
  readonly digests: readonly {
    readonly bank: string
    readonly offset: number
    readonly value: string
  }[]
  /**
   * Whether the digests are of the data. `content`: they are of what the event names, as its type has it. Null where the
   * bytes that were hashed cannot be told.
   */
  readonly digest_of: 'data' | 'content' | 'neither' | null
  readonly data: { readonly offset: number; readonly length: number; readonly raw: string }
  readonly says: string
}

/** A PCR as a log replays to it, in one bank. */
export interface LogPcr {
  readonly bank: string
  readonly pcr: number
  readonly value: string
  /** Whether it is the published value; null without one. */
  readonly fits: boolean | null
}

export interface LogFacts {
  readonly format: 'tcg-1.2' | 'tcg-2.0'
  /** Whose log it is by its header: a confidential guest counts registers from 1. */
  readonly of: 'tpm' | 'guest'
  readonly banks: readonly string[]
  readonly events: number
  readonly types: readonly { readonly name: string; readonly count: number }[]
  readonly locality: number
  /** Bytes of zeros or ones behind the last event. */
  readonly padding: number
  readonly replay: readonly LogPcr[]
  /** The events that were asked for. */
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

/** One inspected thing: a file, or the files that make one quote. */
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

/** The whole of `assay inspect --json`. */
export interface InspectionReport {
  readonly schema: 'assay.inspect/1'
  /** Nothing was broken, and no comparison failed. */
  readonly ok: boolean
  readonly inspections: readonly Inspection[]
}
