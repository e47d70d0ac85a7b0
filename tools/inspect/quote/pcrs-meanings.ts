import { pcrsOfBitmap, presentPcrs } from '../../../simulator/tpm/pcr-selection.ts'
import type { Meanings } from '../read-fields.ts'
import { algorithm, bytes, numberLe } from '../show.ts'

const count = (raw: Uint8Array): string => String(numberLe(raw))

/** The PCR part of a pull quote, a little-endian dump of C structures. */
export const PCRS_MEANINGS: Meanings = {
  count: { means: 'how many of the 16 slots below are in use', show: count },
  'selections.hash': {
    means: 'the bank: every register exists once for each hash',
    show: (raw) => algorithm(Number(numberLe(raw))),
  },
  'selections.sizeofSelect': {
    means: 'length of the bitmap that follows',
    show: (raw) => bytes(numberLe(raw)),
  },
  'selections.pcrSelect': {
    means: 'the registers whose values follow, one bit each',
    show: (raw) => `PCR ${presentPcrs(pcrsOfBitmap(raw))}`,
  },
  'selections.padding': { means: 'filled up to eight bytes by the compiler', show: count },
  lists: { means: 'how many lists of eight values follow', show: count },
  'list.count': { means: 'how many of the eight are in use', show: count },
  leftover: { means: 'after the end: nothing accounts for it', show: (raw) => bytes(raw.length) },
}
