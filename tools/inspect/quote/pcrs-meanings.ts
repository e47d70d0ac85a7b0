import { pcrsOfBitmap, presentPcrs } from '../../../simulator/tpm/pcr-selection.ts'
import type { Meanings } from '../read-fields.ts'
import { algorithm, bytes, numberLe } from '../show.ts'

const count = (raw: Uint8Array): string => String(numberLe(raw))

/** Explanations of the PCR part of a pull quote, a little-endian dump of C structures. */
export const PCRS_MEANINGS: Meanings = {
  count: { means: 'number of used slots, of 16', show: count },
  'selections.hash': {
    means: 'the bank: each bank has its own set of PCRs',
    show: (raw) => algorithm(Number(numberLe(raw))),
  },
  'selections.sizeofSelect': {
    means: 'length of the bitmap that follows',
    show: (raw) => bytes(numberLe(raw)),
  },
  'selections.pcrSelect': {
    means: 'the selected PCRs, one bit each',
    show: (raw) => `PCR ${presentPcrs(pcrsOfBitmap(raw))}`,
  },
  'selections.padding': { means: 'padding to eight bytes by the compiler', show: count },
  lists: { means: 'number of lists with eight values that follow', show: count },
  'list.count': { means: 'number of used values, of eight', show: count },
  leftover: { means: 'bytes after the end of the structure', show: (raw) => bytes(raw.length) },
}
