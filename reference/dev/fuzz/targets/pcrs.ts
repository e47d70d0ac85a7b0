import { equalBytes } from '../../../bytes/equal.ts'
import { toHex } from '../../../bytes/hex.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import type { ClaimedPcrs } from '../../../evidence/quote/claimed-pcrs.ts'
import { parsePcrBlob, writePcrBlob } from '../../../evidence/quote/pcr-blob.ts'
import { parseSubjectData } from '../../../evidence/quote/subject-data.ts'
import { HONEST_QUOTES, type QuoteRun } from '../machines.ts'
import { type ModelPcrs, modelPcrBlob, modelSubjectData } from '../models/pcrs-model.ts'
import { mutatePcrsRun, type PcrsRun } from '../mutators/pcrs.ts'
import { plain } from '../says.ts'
import type { Judgement, Target } from '../target.ts'

/** The code under test; mutants take its place in tests. */
export interface PcrReaders {
  readonly blob: typeof parsePcrBlob
  readonly subject: typeof parseSubjectData
}

const HONEST: readonly PcrsRun[] = HONEST_QUOTES.flatMap((quote: QuoteRun) => {
  const { bank, blob, subject } = quote
  const texts = { bank, subject: subject ?? JSON.stringify(Buffer.from(blob).toString('base64')) }
  return [
    { form: 'blob', blob, ...texts },
    { form: 'subject', blob, ...texts },
  ]
}).map((run, of) => ({ of, ...run }))

/** PCR values as an attester claims them: a blob, or `subject_data`. */
export function pcrsTarget(
  readers: PcrReaders = { blob: parsePcrBlob, subject: parseSubjectData },
): Target<PcrsRun> {
  return {
    name: 'pcrs',
    honest: HONEST,
    mutate: mutatePcrsRun,
    judge(run) {
      const { form, blob, subject, bank } = run
      const value = form === 'blob' ? undefined : parsedJson(subject)
      try {
        return form === 'blob'
          ? compared(readers.blob(blob), modelPcrBlob(blob), blob)
          : compared(readers.subject(value, bank), modelSubjectData(value, bank))
      } catch (error) {
        if (!(error instanceof WireError)) throw error
        return { verdict: 'refused', says: [`${error.name}: ${plain(error.message)}`] }
      }
    },
  }
}

/** What stands in for a text that is no JSON, which a verifier refuses before it looks at evidence. */
const NO_JSON = null

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return NO_JSON
  }
}

function compared(
  claimed: ClaimedPcrs,
  model: ModelPcrs | undefined,
  blob?: Uint8Array,
): Judgement {
  const passed = { verdict: 'pass', says: [] } as const
  if (!model) return { ...passed, mustNotPass: 'these are no PCR values' }
  if (listed(claimed) !== listed(model))
    return { ...passed, mustNotPass: 'other values were read than are there' }
  const written = writePcrBlob(claimed)
  const again = blob
    ? sameWhereItMatters(written, blob)
    : listed(parsePcrBlob(written)) === listed(model)
  return again ? passed : { ...passed, changed: 'the PCR values are written in another way' }
}

function listed(pcrs: ModelPcrs): string {
  const lines = pcrs.flatMap(({ bank, values }) => [
    bank,
    ...[...values].map(([pcr, value]) => `${bank} ${pcr} ${toHex(value)}`),
  ])
  return lines.join()
}

const PADDED_TO = 4 + 16 * 8
const LIST_BYTES = 4 + 8 * 66

/** Whether two blobs are the same but for what a C structure leaves behind its values: padding and unused room. */
function sameWhereItMatters(left: Uint8Array, right: Uint8Array): boolean {
  return equalBytes(withoutRemains(left), withoutRemains(right))
}

function withoutRemains(blob: Uint8Array): Uint8Array {
  const clean = new Uint8Array(blob)
  const banks = clean[0] ?? 0
  for (let slot = 0; slot < 16; slot++)
    clean.fill(0, 4 + 8 * slot + (slot < banks ? 6 : 0), 12 + 8 * slot)
  for (let list = PADDED_TO + 4; list < clean.length; list += LIST_BYTES)
    for (let at = 0; at < 8; at++) {
      const start = list + 4 + 66 * at
      const size = at < (clean[list] ?? 0) ? (clean[start] ?? 0) : 0
      if (size === 0) clean.fill(0, start, start + 2)
      clean.fill(0, start + 2 + size, start + 66)
    }
  return clean
}
