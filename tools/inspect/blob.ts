import type { Broken } from './inspection.ts'

/** Bytes of one structure, out of whatever they were written in. */
export interface Blob {
  readonly bytes: Uint8Array
  /** `raw`, `base64`, `base64 of a zlib stream`. */
  readonly form: string
  /** Where the writing around the bytes stops making sense. */
  readonly broken: readonly Omit<Broken, 'part'>[]
  /** What is odd about the writing. */
  readonly odd: readonly { readonly id: 'odd-base64' | 'compressed-part'; readonly says: string }[]
}
