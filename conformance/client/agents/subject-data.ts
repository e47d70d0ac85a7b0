import type { Bank } from '../../../simulator/tpm/hash.ts'
import { writePcrBlob } from '../../../simulator/tpm/pcr-blob.ts'
import { selectPcrs } from '../../../simulator/tpm/pcr-selection.ts'
import { show } from '../../attempt/check.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { base64, unhex } from '../bytes.ts'

/** The PCR that agents extend with their public key. */
const DEBUG_PCR = 16

/** PCR number -> value in hex: the form of quoted values in scenarios, independent of the dialect. */
export type PcrValues = Readonly<Record<string, string>>

/** `subject_data` of a quote: the values as an object, or as the PCR blob of that bank. */
export function writeSubjectData(
  values: PcrValues,
  bank: Bank,
  dialect: Dialect,
): PcrValues | string {
  if (dialect['subject-data'] === 'object') return values
  const pcrs = Object.keys(values).map(Number)
  return base64(writePcrBlob([selectPcrs(bank, pcrs)], Object.values(values).map(unhex)))
}

/** Changes the first digit of the value of the lowest PCR. */
export function alterPcr(values: PcrValues): PcrValues {
  const [lowest] = Object.entries(values)
  if (lowest === undefined) throw new PrerequisiteFailed('no PCR was requested')
  const [pcr, value] = lowest
  return { ...values, [pcr]: `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}` }
}

/** PCRs of `selected_subjects` in one bank. @throws {PrerequisiteFailed} if it is not in the requested form */
export function readSelectedPcrs(
  subjects: unknown,
  bank: string,
  dialect: Dialect,
): readonly number[] {
  const inObject = dialect['available-subjects'] === 'object'
  const pcrs = inObject ? memberOf(subjects, bank) : subjects
  if (isPcrList(pcrs)) return pcrs
  throw new PrerequisiteFailed({
    ...{ requirement: 'ATT-QUOTE-SELECTED-SUBJECTS-TYPE', what: '`selected_subjects`' },
    expected: inObject
      ? `an object with a list of PCR numbers for ${bank}`
      : 'a list of PCR numbers',
    received: show(subjects),
  })
}

/** The PCRs to quote for this selection, ascending. */
export function quotedPcrs(selected: readonly number[], dialect: Dialect): readonly number[] {
  const pcrs = new Set(selected)
  if (dialect['quoted-pcrs'] === 'selected-and-16') pcrs.add(DEBUG_PCR)
  return [...pcrs].toSorted((one, other) => one - other)
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function isPcrList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(Number.isInteger)
}
