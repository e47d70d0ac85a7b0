import { loadConfig } from '../../config/config.ts'
import { ApiError } from '../../errors.ts'
import { evaluate } from '../../evidence/evaluate.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { parseReferenceState } from '../../evidence/uefi/policy/reference-state.ts'
import { withTimeLimit } from '../../verifier/evaluation/with-time-limit.ts'
import { evaluateEvidence } from '../../verifier/evidence-request.ts'
import { type EvidenceOptions, parseEvidenceOptions } from './options.ts'
import { type OfflineVerdict, offlineVerdict, presentVerdict } from './present.ts'
import { faultOf, readRequest } from './request.ts'

/**
 * `assay verify-evidence`: the verdict of POST verify/evidence on files, without a server.
 * Returns the exit code: 0 valid, 1 not valid.
 *
 * @throws {StartFault} exit code 2: an option, a file or its content cannot be read
 */
export function verifyEvidenceMain(
  argv: readonly string[],
  out: { write(text: string): unknown } = process.stdout,
): number {
  const options = parseEvidenceOptions(argv)
  if (options === undefined) return 0
  const verdict = judge(options)
  out.write(`${options.json ? JSON.stringify(verdict, null, 2) : presentVerdict(verdict)}\n`)
  return verdict.valid ? 0 : 1
}

function judge(options: EvidenceOptions): OfflineVerdict {
  const config = loadConfig('verifier', options.config, options.set)
  const { body, notes } = readRequest(options)
  const evaluation = refusing(() =>
    evaluateEvidence(body, {
      evaluate: withTimeLimit(evaluate, config.evaluation_limit * 1000),
      readPolicy: parseRuntimePolicy,
      readState: (text) => parseReferenceState(text, 'mb_policy'),
      ignoreTomtouErrors: config.ignore_tomtou_errors,
      bootPolicyName: config.measured_boot_policy_name,
    }),
  )
  return offlineVerdict(evaluation, notes)
}

/** Names the option for a fault that the endpoint would answer with 400. */
function refusing<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) throw faultOf(error.pointer, error.message, error)
    throw error
  }
}
