import { BANKS, HASHES } from '../../../simulator/tpm/hash.ts'
import { fromHex } from '../../../simulator/tpm/write.ts'
import type { Broken, Field, Part } from '../inspection.ts'
import type { JsonMember, JsonNode } from '../policy/json-source.ts'
import { safe, shortHex } from '../show.ts'
import type { Warnings } from '../warnings.ts'
import { PCRS_ABOUT, PCRS_PART } from './inspect-pcrs.ts'
import { pcrName } from './pcr-names.ts'

export interface SubjectValues {
  readonly part: Part
  /** Ascending by PCR; undefined if one of them is invalid. */
  readonly values: readonly { readonly pcr: number; readonly value: Uint8Array }[] | undefined
  readonly broken: readonly Broken[]
}

function hexOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const digits = value.replace(/^0x/, '').toLowerCase()
  return /^(?:[0-9a-f]{2})+$/.test(digits) ? digits : undefined
}

function fieldOf({ key, node }: JsonMember): Field {
  const digits = hexOf(node.value)
  const known = /^\d{1,2}$/.test(key)
  return {
    path: `subject_data[${safe(JSON.stringify(key))}]`,
    offset: node.start,
    length: node.end - node.start,
    raw: digits ?? '',
    value: digits === undefined ? 'not hexadecimal' : shortHex(digits, 16),
    means: known ? `PCR ${key}: ${pcrName(Number(key))}` : 'not a PCR number',
  }
}

function whyBroken({ key, node }: JsonMember): string | undefined {
  if (!/^(?:0|[1-9]\d?)$/.test(key)) return 'the name is not a PCR number'
  return hexOf(node.value) === undefined
    ? 'the value is not hexadecimal, or has an odd number of digits'
    : undefined
}

function warnOf({ key, node }: JsonMember, isDouble: boolean, warnings: Warnings) {
  const place = { part: PCRS_PART, offset: node.start, path: `subject_data["${safe(key)}"]` }
  const size = (hexOf(node.value) ?? '').length / 2
  if (!BANKS.some((bank) => HASHES[bank].size === size)) {
    warnings.add('odd-value-size', { ...place, says: `${size} bytes` })
  }
  if (isDouble) warnings.add('duplicate-key', { ...place, says: key })
}

/** The names that occur more than once. */
function doubleKeys(members: readonly JsonMember[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const double = new Set<string>()
  for (const { key } of members) (seen.has(key) ? double : seen).add(key)
  return double
}

/** Reads PCR values from `subject_data` of a push PATCH, with their positions in the JSON. */
export function readSubjectData(node: JsonNode, warnings: Warnings): SubjectValues {
  const members = node.members ?? []
  const double = doubleKeys(members)
  for (const member of members) warnOf(member, double.has(member.key), warnings)
  const broken = members.flatMap((member): Broken[] => {
    const why = whyBroken(member)
    const { keyStart: offset, key } = member
    return why === undefined ? [] : [{ part: PCRS_PART, offset, path: safe(key), why }]
  })
  const values = members
    .map(({ key, node: { value } }) => ({ pcr: Number(key), value: fromHex(hexOf(value) ?? '') }))
    .toSorted((one, other) => one.pcr - other.pcr)
  const part: Part = {
    name: PCRS_PART,
    about: PCRS_ABOUT,
    form: 'JSON object',
    length: node.end - node.start,
    fields: members.map(fieldOf),
  }
  return { part, values: broken.length > 0 ? undefined : values, broken }
}
