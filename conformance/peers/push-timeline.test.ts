import { expect, test } from 'vitest'
import type { VerifierExchange } from '../../simulator/services/scripted-verifier.ts'
import { writeSubjectData } from '../client/agents/subject-data.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import { readEvidence } from '../oracle/push-evidence.ts'
import { pushTimeline } from './push-timeline.ts'

const OBJECT = { 0: '0a'.repeat(32), 10: '10'.repeat(32) }

/** The `subject_data` that the judge reads of evidence with this one, under a dialect. */
function readUnder(name: 'document' | 'keylime', subject_data: unknown): unknown {
  const timeline = pushTimeline(DIALECTS[name], () => undefined)
  const item = { evidence_type: 'tpm_quote', data: { subject_data } }
  const json = { data: { attributes: { evidence_collected: [item] } } }
  timeline.verifier({ step: 'evidence', request: { at: 0, json } } as unknown as VerifierExchange)
  const [operation] = timeline.operations()
  return operation && readEvidence(operation).data('tpm_quote')?.['subject_data']
}

test('an agent of the keylime dialect sends its PCRs as a blob, which is read as an object', () => {
  const blob = writeSubjectData(OBJECT, 'sha256', DIALECTS.keylime)
  expect(typeof blob).toBe('string')
  expect(readUnder('keylime', blob)).toEqual(OBJECT)
})

test('a blob is no object where the document holds, and one that cannot be read stays as it is', () => {
  const blob = writeSubjectData(OBJECT, 'sha256', DIALECTS.keylime)
  expect(readUnder('document', blob)).toBe(blob)
  expect(readUnder('keylime', 'AAAA')).toBe('AAAA')
  expect(readUnder('document', OBJECT)).toEqual(OBJECT)
})
