import {
  type AdversarialFile,
  type AdversarialVariant,
  adversarialFileNames,
  inputsOf,
  loadAdversarialFile,
} from '../../conformance/catalogue/adversarial/evidence-file.ts'
import {
  evidenceRequest,
  travels,
} from '../../conformance/catalogue/adversarial/evidence-request.ts'
import { loadAdversarialCases } from '../../conformance/catalogue/adversarial/load-cases.ts'

export const VECTORS_SCHEMA = 'assay.vectors/1'

/** What an implementation has to say of evidence; `either` where the interface document leaves it open. */
export type Expected = 'valid' | 'invalid' | 'either'

/** One piece of evidence with its expected verdict. */
export interface Vector {
  readonly id: string
  /** What was changed in the baseline, in words; that of a baseline says that nothing was. */
  readonly comment: string
  /** Id of the vector that differs in this change alone; absent for a baseline. */
  readonly baseline?: string
  /** Number and name of the flaw in the list of adversarial inputs. */
  readonly flaw?: { readonly case: number; readonly name: string }
  readonly expected: Expected
  /** Why it is invalid: it cannot be read, it does not belong together, or the policy does not allow it. */
  readonly reason?: 'malformed' | 'broken_evidence_chain' | 'policy_violation'
  /** The body of POST verify/evidence. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Vectors of one part of the evidence. */
export interface VectorGroup {
  readonly schema: typeof VECTORS_SCHEMA
  readonly group: string
  readonly vectors: readonly Vector[]
}

/** Registrations are no evidence. */
const OTHERS: readonly string[] = ['e5-registration']

/** Every group: `quote-string`, `attest`, `signature`, `pcr-part`, `ima-ascii`, `uefi-log` and so on. */
export function vectorGroups(): readonly VectorGroup[] {
  const flaws = new Map(loadAdversarialCases().map((one) => [one.case, one.title]))
  return adversarialFileNames()
    .filter((name) => !OTHERS.includes(name))
    .map((name) => groupOf(name, loadAdversarialFile(name), flaws))
    .filter(({ vectors }) => vectors.length > 0)
}

function groupOf(
  name: string,
  file: AdversarialFile,
  flaws: ReadonlyMap<number, string>,
): VectorGroup {
  const group = name.replace(/^e\d-/, '')
  const idOf = (baseline: string) => `${group}-${baseline}`
  const goldens = Object.entries(file.goldens)
    .filter(([, members]) => travels(members))
    .map(
      ([baseline, members]): Vector => ({
        id: idOf(baseline),
        comment: 'Nothing is changed.',
        expected: 'valid',
        body: evidenceRequest(members),
      }),
    )
  const changed = file.variants.flatMap((variant) => {
    const flaw = { case: variant.case, name: flaws.get(variant.case) ?? variant.what }
    const inputs = inputsOf(file, variant)
    return inputs.flatMap((input, at) => {
      if (!travels(input)) return []
      const id = inputs.length === 1 ? variant.id : `${variant.id}-${at + 1}`
      const own = { id, comment: variant.what, baseline: idOf(variant.of), flaw }
      return [{ ...own, ...expectedOf(variant), body: evidenceRequest(input) }]
    })
  })
  return { schema: VECTORS_SCHEMA, group, vectors: [...goldens, ...changed] }
}

function expectedOf({ outcome }: AdversarialVariant): Pick<Vector, 'expected' | 'reason'> {
  if (outcome === 'pass') return { expected: 'valid' }
  if (outcome === 'either') return { expected: 'either' }
  return { expected: 'invalid', reason: outcome }
}
