import { bodyParser, within } from '../../api/bodies/parse-body.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { ApiError } from '../../errors.ts'
import { parseSubjectData } from '../../evidence/quote/subject-data.ts'
import { type EvidenceRequest, LogData, QuoteData } from '../shapes/attestation-shape.ts'
import { readable } from './readable.ts'
import {
  type EvidenceItem,
  logParameters,
  type QuoteParameters,
} from './selection/evidence-item.ts'
import { BINARY_FORMAT } from './selection/select-log.ts'

type Collected = EvidenceRequest['data']['attributes']['evidence_collected'][number]

const COLLECTED = '/data/attributes/evidence_collected'
const parseQuoteData = bodyParser(QuoteData, 'invalid_resource_data')
const parseLogData = bodyParser(LogData, 'invalid_resource_data')

/**
 * Matches the collected evidence with the request: same items, same order, each readable in the
 * agreed form. A mismatch is refused with 422 and the stage stays (ambiguity MISMATCH).
 */
export function acceptEvidence(
  requested: readonly EvidenceItem[],
  collected: readonly Collected[],
): readonly EvidenceItem[] {
  if (collected.length !== requested.length) {
    throw refuse(`${requested.length} items were requested, ${collected.length} came`, COLLECTED)
  }
  return requested.map((wanted, at) => {
    const item = collected[at]
    const pointer = `${COLLECTED}/${at}`
    if (
      item?.evidence_type !== wanted.evidence_type ||
      item.evidence_class !== wanted.evidence_class
    ) {
      throw refuse(
        `item ${at} was requested as ${wanted.evidence_class}/${wanted.evidence_type}`,
        pointer,
      )
    }
    return { ...wanted, data: within(`${pointer}/data`, () => readData(wanted, item.data)) }
  })
}

function readData(
  wanted: EvidenceItem,
  data: Collected['data'],
): Readonly<Record<string, unknown>> {
  if (wanted.evidence_type === 'tpm_quote') {
    const { subject_data, message, signature } = parseQuoteData(data)
    const { hash_algorithm } = wanted.chosen_parameters as QuoteParameters
    readable('message', () => fromBase64(message, 'message'))
    readable('signature', () => fromBase64(signature, 'signature'))
    readable('subject_data', () => parseSubjectData(subject_data, hash_algorithm))
    return { subject_data, message, signature }
  }
  const log = parseLogData(data)
  const { entries } = log
  if (logParameters(wanted).format === BINARY_FORMAT) {
    readable('entries', () => fromBase64(entries, 'entries'))
  }
  return log.entry_count === undefined ? { entries } : { entry_count: log.entry_count, entries }
}

function refuse(detail: string, pointer: string): ApiError {
  return new ApiError('invalid_resource_data', detail, { pointer })
}
