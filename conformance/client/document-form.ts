import { parsePcrBlob } from '../../simulator/tpm/pcr-blob.ts'
import { toHex } from '../../simulator/tpm/write.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { unbase64 } from './bytes.ts'

type Rewrite = (value: unknown) => unknown

/**
 * Converts a reply body from a dialect to the document's form. Values that are not in the form of the dialect
 * stay unchanged, so that checks report them.
 */
export function inDocumentForm(body: unknown, dialect: Dialect): unknown {
  return rewrite(body, rewritesOf(dialect))
}

function rewritesOf(dialect: Dialect): ReadonlyMap<string, Rewrite> {
  const rewrites = new Map<string, Rewrite>()
  if (dialect['available-subjects'] === 'object') {
    rewrites.set('available_subjects', joinBanks).set('selected_subjects', joinBanks)
  }
  if (dialect['subject-data'] === 'blob') rewrites.set('subject_data', openBlob)
  return rewrites
}

function rewrite(value: unknown, rewrites: ReadonlyMap<string, Rewrite>): unknown {
  if (Array.isArray(value)) return value.map((inner) => rewrite(inner, rewrites))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, inner]) => {
    const special = rewrites.get(name)
    return [name, special === undefined ? rewrite(inner, rewrites) : special(inner)]
  })
  return Object.fromEntries(members)
}

/** PCR numbers of all banks, ascending. A null bank is unused. */
function joinBanks(subjects: unknown): unknown {
  if (typeof subjects !== 'object' || subjects === null || Array.isArray(subjects)) return subjects
  const lists: unknown[] = Object.values(subjects).filter((list) => list !== null)
  if (!lists.every(Array.isArray)) return subjects
  return [...new Set(lists.flat())].toSorted((one, other) => Number(one) - Number(other))
}

/** PCR number -> value in hex, from a PCR blob of one bank. */
function openBlob(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    const { selections, values, leftover } = parsePcrBlob(unbase64(text))
    const pcrs = selections.flatMap((selection) => selection.pcrs)
    const whole = selections.length === 1 && pcrs.length === values.length && leftover.length === 0
    return whole
      ? Object.fromEntries(values.map((value, at) => [String(pcrs[at]), toHex(value)]))
      : text
  } catch {
    return text
  }
}
