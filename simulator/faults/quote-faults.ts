import type { Bytes } from '../platform/outputs.ts'
import { cat, filled } from '../tpm/write.ts'
import type { Fault } from './fault.ts'

/** Returns the bytes with the lowest bit of one byte flipped; negative offsets count from the end. */
function turned(at: number): Bytes {
  return (bytes) => {
    const copy = Uint8Array.from(bytes)
    const place = at < 0 ? bytes.length + at : at
    copy[place] = (copy[place] ?? 0) ^ 1
    return copy
  }
}

function rotated(values: ReadonlyMap<number, Uint8Array>): ReadonlyMap<number, Uint8Array> {
  const given = [...values.values()]
  const [first = filled(0), ...others] = given
  const moved = [...others, first]
  return new Map([...values.keys()].map((pcr, at) => [pcr, moved[at] ?? filled(0)]))
}

function zeroed(values: ReadonlyMap<number, Uint8Array>): ReadonlyMap<number, Uint8Array> {
  return new Map([...values].map(([pcr, value]) => [pcr, filled(value.length)]))
}

/** Faults of a quote that need no key: the signature covers the correct values. */
export const QUOTE_FAULTS: readonly Fault[] = [
  {
    name: 'quote-magic',
    what: 'TPMS_ATTEST does not begin with TPM_GENERATED_VALUE',
    cases: [9],
    outcome: 'refused',
    mutations: { quote: turned(0) },
  },
  {
    name: 'quote-digest',
    what: 'one bit of the signed digest is flipped',
    cases: [25],
    outcome: 'refused',
    mutations: { quote: turned(-1) },
  },
  {
    name: 'quote-cut',
    what: 'TPMS_ATTEST lacks its last byte',
    cases: [19],
    outcome: 'refused',
    mutations: { quote: (bytes) => bytes.subarray(0, -1) },
  },
  {
    name: 'quote-leftover',
    what: 'one byte follows TPMS_ATTEST that the signature does not cover',
    cases: [18],
    outcome: 'refused',
    mutations: { quote: (bytes) => cat(bytes, filled(1)) },
  },
  {
    name: 'signature-bit',
    what: 'one bit of the signature is flipped',
    cases: [26],
    outcome: 'refused',
    mutations: { signature: turned(-1) },
  },
  {
    name: 'signature-leftover',
    what: 'one byte follows TPMT_SIGNATURE',
    cases: [35],
    outcome: 'refused',
    mutations: { signature: (bytes) => cat(bytes, filled(1)) },
  },
  {
    name: 'pcrs-rotated',
    what: 'each quoted PCR has the value of the next one',
    cases: [40],
    outcome: 'refused',
    mutations: { pcrs: rotated },
  },
  {
    name: 'pcrs-zeroed',
    what: 'every quoted PCR has the value zero',
    cases: [42],
    outcome: 'refused',
    mutations: { pcrs: zeroed },
  },
]
