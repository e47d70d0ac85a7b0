import type { Section } from '../form.ts'
import {
  bankLayouts,
  byteOrders,
  digestFields,
  fieldLengths,
  originalNames,
  swappedForms,
  templateNames,
} from './binary-cases.ts'
import { ENTRIES, ENTRIES_NGV2, listEvidence } from './list-evidence.ts'

/** Section E.7: defects of a measurement list in its binary form. */
export function binarySection(): Section {
  return {
    section: 'E.7',
    baselines: {
      list: listEvidence(ENTRIES, 'binary'),
      ngv2: listEvidence(ENTRIES_NGV2, 'binary'),
    },
    variants: [
      ...templateNames(),
      ...digestFields(),
      ...fieldLengths(),
      ...byteOrders(),
      ...bankLayouts(),
      ...originalNames(),
      ...swappedForms(),
    ],
  }
}
