import type { Section } from '../form.ts'
import { falseHashes, falsePcrs, falsePrefixes, falseTemplates } from './ascii-columns.ts'
import { buffers, falseSignatures, manyColumns, signedBaseline } from './ascii-fields.ts'
import { catastrophicExcludes, hardNames, injectedLines, underscores } from './ascii-names.ts'
import { bootAggregates, longLists, offsets, otherLists } from './ascii-replay.ts'
import { alteredColumns, alteredTexts } from './ascii-structure.ts'
import { ENTRIES, ENTRIES_NGV2, listEvidence } from './list-evidence.ts'

/** Section E.6: defects of a measurement list as text. */
export function asciiSection(): Section {
  return {
    section: 'E.6',
    baselines: {
      list: listEvidence(ENTRIES, 'ascii'),
      ngv2: listEvidence(ENTRIES_NGV2, 'ascii'),
      signed: signedBaseline(),
    },
    variants: [
      ...alteredTexts(),
      ...alteredColumns(),
      ...falseHashes(),
      ...falsePrefixes(),
      ...hardNames(),
      ...injectedLines(),
      ...underscores(),
      ...falsePcrs(),
      ...falseTemplates(),
      ...falseSignatures(),
      ...buffers(),
      ...manyColumns(),
      ...otherLists(),
      ...bootAggregates(),
      ...offsets(),
      ...longLists(),
      ...catastrophicExcludes(),
    ],
  }
}
