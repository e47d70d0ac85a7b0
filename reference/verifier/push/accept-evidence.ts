import { bodyParser } from '../../api/parse-body.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { ApiError } from '../../errors.ts'
import { parseSubjectData } from '../../evidence/subject-data.ts'
import { type EvidenceRequest, LogData, QuoteData } from '../attestation-shape.ts'
import { type EvidenceItem, logParameters, type QuoteParameters } from './evidence-item.ts'
import { BINARY_FORMAT } from './select-log.ts'

type Collected = EvidenceRequest['data']['attributes']['evidence_collected'][number]

const COLLECTED = '/data/attributes/evidence_collected'
const parseQuoteData = bodyParser(QuoteData, 'invalid_resource_data')
const parseLogData = bodyParser(LogData, 'invalid_resource_data')

/**
 * Lays the collected evidence on what was requested: same items, same order, each readable in the
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
    return { ...wanted, data: within(pointer, () => readData(wanted, item.data)) }
  })
}

function readData(
  wanted: EvidenceItem,
  data: Collected['data'],
): Readonly<Record<string, unknown>> {
  if (wanted.evidence_type === 'tpm_quote') {
    const quote = parseQuoteData(data)
    const { hash_algorithm } = wanted.chosen_parameters as QuoteParameters
    fromBase64(quote.message, 'message')
    fromBase64(quote.signature, 'signature')
    parseSubjectData(quote.subject_data, hash_algorithm)
    return quote
  }
  const log = parseLogData(data)
  if (logParameters(wanted).format === BINARY_FORMAT) fromBase64(log.entries, 'entries')
  return log
}

function within<T>(pointer: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) {
      throw refuse(error.message, `${pointer}/data${error.pointer ?? ''}`)
    }
    if (error instanceof WireError) throw refuse(error.message, `${pointer}/data`)
    throw error
  }
}

function refuse(detail: string, pointer: string): ApiError {
  return new ApiError('invalid_resource_data', detail, { pointer })
}
