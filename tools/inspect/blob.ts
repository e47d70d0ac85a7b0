import type { Broken } from './inspection.ts'

/** Bytes of one structure, after decoding. */
export interface Blob {
  readonly bytes: Uint8Array
  /** `raw`, `base64`, `base64 of a zlib stream`. */
  readonly form: string
  /** Decoding errors of the encoding. */
  readonly broken: readonly Omit<Broken, 'part'>[]
  /** Irregularities of the encoding. */
  readonly odd: readonly { readonly id: 'odd-base64' | 'compressed-part'; readonly says: string }[]
}
