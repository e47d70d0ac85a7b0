import { VALID } from '../../conformance/catalogue/adversarial/evidence-families.ts'
import { evidenceRequest } from '../../conformance/catalogue/adversarial/evidence-request.ts'
import type { NearMissGroup } from '../../conformance/catalogue/adversarial/near-misses/near-miss.ts'
import { changesOf } from './changes.ts'
import type { Body, Vector } from './vector.ts'

/** The vectors of a group of near misses: the valid ones are baselines. Evidence that comes again is left out. */
export function nearMissVectors({ id: group, rows }: NearMissGroup): readonly Vector[] {
  const seen = new Set<string>()
  const ids = new Map<string, number>()
  const idOf = (sends: string) => {
    const id = `${group}-${wordsOf(sends)}`
    const times = (ids.get(id) ?? 0) + 1
    ids.set(id, times)
    return times === 1 ? id : `${id}-${times}`
  }
  const vectors = rows.flatMap(({ sends, breaks, evidence }): readonly Vector[] => {
    const body = evidenceRequest(evidence())
    const text = JSON.stringify(body)
    if (seen.has(text)) return []
    seen.add(text)
    const named = {
      id: idOf(sends),
      comment: `${sends.charAt(0).toUpperCase()}${sends.slice(1)}.`,
    }
    if (breaks === undefined) return [{ ...named, requirements: [VALID], expected: 'valid', body }]
    return [{ ...named, flaw: group, requirements: [breaks], expected: 'invalid', body }]
  })
  const valid = vectors.filter(({ expected }) => expected === 'valid')
  return vectors.map((vector) => {
    if (vector.expected === 'valid') return vector
    const baseline = nearest(valid, vector.body)
    const { id, comment, ...rest } = vector
    return { id, comment, ...(baseline && { baseline: baseline.id }), ...rest }
  })
}

/** Letters and digits with hyphens between them. */
function wordsOf(sends: string): string {
  return (
    sends
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? ''
  )
}

/** The valid vector that differs in the fewest bytes. */
function nearest(valid: readonly Vector[], body: Body): Vector | undefined {
  const [first] = valid
    .map((vector) => ({ vector, bytes: differentBytes(vector.body, body) }))
    .toSorted((one, other) => one.bytes - other.bytes)
  return first?.vector
}

function differentBytes(one: Body, other: Body): number {
  return changesOf(one, other).reduce(
    (sum, { before, after }) => sum + before.length + after.length,
    0,
  )
}
