import { parseRuntimePolicy } from '../../../evidence/ima/policy/runtime-policy.ts'
import { PolicyError } from '../../../evidence/policy-error.ts'
import { parseTpmPolicy } from '../../../evidence/quote/tpm-policy.ts'
import { runtimePolicyMustNotPass, tpmPolicyMustNotPass } from '../models/policy-model.ts'
import { mutatePolicyRun } from '../mutators/policy.ts'
import { HONEST_POLICIES, type PolicyRun } from '../policies.ts'
import { plain } from '../says.ts'
import type { Judgement, Target } from '../target.ts'

/** The code under test; mutants take its place in tests. */
export interface PolicyReaders {
  readonly runtime: typeof parseRuntimePolicy
  readonly tpm: typeof parseTpmPolicy
}

/** Longer than any path should be, for the engine of the excludes. */
const LONG_PATH = `/${'a'.repeat(240)}!`

/** Policy documents: runtime policies and static PCR policies. */
export function policyTarget(
  readers: PolicyReaders = { runtime: parseRuntimePolicy, tpm: parseTpmPolicy },
): Target<PolicyRun> {
  return {
    name: 'policy',
    honest: HONEST_POLICIES,
    mutate: mutatePolicyRun,
    judge({ kind, text }) {
      try {
        return passed(kind === 'runtime' ? readRuntime(readers, text) : readTpm(readers, text))
      } catch (error) {
        if (!(error instanceof PolicyError)) throw error
        return { verdict: 'refused', says: [plain(error.message)] }
      }
    },
  }
}

function readRuntime({ runtime }: PolicyReaders, text: string): string | undefined {
  const policy = runtime(text)
  policy.excludes(LONG_PATH)
  return runtimePolicyMustNotPass(text, policy)
}

function readTpm({ tpm }: PolicyReaders, text: string): string | undefined {
  return tpmPolicyMustNotPass(text, tpm(text))
}

function passed(mustNotPass: string | undefined): Judgement {
  return { verdict: 'pass', says: [], ...(mustNotPass !== undefined && { mustNotPass }) }
}
