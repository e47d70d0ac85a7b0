import { createHash } from 'node:crypto'
import {
  EVIDENCE_FAMILIES,
  type EvidenceFamily,
  requirementsOf,
  VALID,
} from '../../conformance/catalogue/adversarial/evidence-families.ts'
import {
  type AdversarialVariant,
  inputsOf,
  loadAdversarialFile,
} from '../../conformance/catalogue/adversarial/evidence-file.ts'
import {
  evidenceRequest,
  travels,
} from '../../conformance/catalogue/adversarial/evidence-request.ts'
import {
  type AdversarialCase,
  loadAdversarialCases,
} from '../../conformance/catalogue/adversarial/load-cases.ts'
import { NEAR_MISS_GROUPS } from '../../conformance/catalogue/adversarial/near-misses/near-miss-groups.ts'
import { loadRequirements } from '../../conformance/catalogue/load-requirements.ts'
import { assayVersion } from '../../conformance/runner/result/compose-result.ts'
import { nearMissVectors } from './near-miss-vectors.ts'
import { rejectingPolicy } from './rejecting-policy.ts'
import { VECTORS_SCHEMA, type Vector, type VectorGroup } from './vector.ts'

/** Larger bodies test the limits of a transport and not a verdict. */
const LARGEST = 2 << 20

type Part = Pick<VectorGroup, 'group' | 'title' | 'flaws' | 'vectors'>

/** Every group: evidence that was changed in one place, by the part that was changed, and near misses by their area. */
export function vectorGroups(): readonly VectorGroup[] {
  const says = new Map(loadRequirements().map((row) => [row.id, row.says]))
  const source = { name: 'assay', version: assayVersion() } as const
  return [...changedParts(), ...nearMissParts()].map(({ group, title, flaws, vectors: own }) => {
    const vectors = own.map(withPolicy)
    const ids = [...new Set(vectors.flatMap(({ requirements }) => requirements))].toSorted()
    return {
      ...{ schema: VECTORS_SCHEMA, source, group, title, vector_count: vectors.length, flaws },
      requirements: Object.fromEntries(ids.map((id) => [id, says.get(id) ?? ''])),
      vectors,
    }
  })
}

function withPolicy(vector: Vector): Vector {
  const policy = rejectingPolicy(vector)
  const { body, ...rest } = vector
  return policy === undefined ? vector : { ...rest, policy, body }
}

/** SHA-256 of vectors, in hexadecimal: two results with the same one answer the same questions. */
export function digestOf(groups: readonly VectorGroup[]): string {
  const hash = createHash('sha256')
  for (const { vectors } of groups) hash.update(JSON.stringify(vectors))
  return hash.digest('hex')
}

function changedParts(): readonly Part[] {
  const cases = new Map(loadAdversarialCases().map((one) => [one.case, one]))
  return Object.entries(EVIDENCE_FAMILIES).map(([file, family]) => {
    const vectors = vectorsOf(file, family, cases)
    const used = new Set(vectors.map(({ flaw }) => flaw))
    const flaws = [...cases.values()]
      .map((one): [string, string] => [flawOf(one.case), one.title])
      .filter(([id]) => used.has(id))
    return {
      ...{ group: groupOf(file), title: family.title },
      ...{ flaws: Object.fromEntries(flaws), vectors },
    }
  })
}

const groupOf = (file: string): string => file.replace(/^e\d-/, '')
const flawOf = (number: number): string => `case-${number}`

function vectorsOf(
  fileName: string,
  family: EvidenceFamily,
  cases: ReadonlyMap<number, AdversarialCase>,
): readonly Vector[] {
  const file = loadAdversarialFile(fileName)
  const idOf = (baseline: string) => `${groupOf(fileName)}-${baseline}`
  const baselines = Object.entries(file.baselines)
    .filter(([, members]) => travels(members))
    .map(
      ([name, members]): Vector => ({
        ...{ id: idOf(name), comment: 'Nothing is changed.', requirements: [VALID] },
        ...{ expected: 'valid', body: evidenceRequest(members) },
      }),
    )
  const changed = file.variants.flatMap((variant) => {
    const inputs = inputsOf(file, variant)
    return inputs.flatMap((input, at): readonly Vector[] => {
      if (!travels(input)) return []
      return [
        {
          id: inputs.length === 1 ? variant.id : `${variant.id}-${at + 1}`,
          ...{ comment: `${variant.what}.`, baseline: idOf(variant.of) },
          ...{ flaw: flawOf(variant.case), requirements: requirementsOf(family, variant) },
          ...expectedOf(variant, cases.get(variant.case)),
          body: evidenceRequest(input),
        },
      ]
    })
  })
  return [...baselines, ...changed].filter(({ body }) => sizeOf(body) <= LARGEST)
}

function sizeOf(body: Vector['body']): number {
  return Object.values(body).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )
}

function expectedOf(
  { outcome }: AdversarialVariant,
  open: AdversarialCase | undefined,
): Pick<Vector, 'expected' | 'reason' | 'readings'> {
  if (outcome === 'pass') return { expected: 'valid' }
  if (outcome !== 'either') return { expected: 'invalid', reason: outcome }
  return { expected: 'either', ...(open?.readings && { readings: open.readings }) }
}

function nearMissParts(): readonly Part[] {
  return NEAR_MISS_GROUPS.map((group) => ({
    ...{ group: group.id, title: `${group.title}.` },
    flaws: { [group.id]: `Near miss: ${group.title}` },
    vectors: nearMissVectors(group),
  }))
}
