import { readFileSync } from 'node:fs'
import { parseJson } from '../../api/bodies/parse-json.ts'
import { loadConfig } from '../../config/config.ts'
import { ApiError } from '../../errors.ts'
import { inProcessEvaluators } from '../../verifier/evaluation/in-process-evaluator.ts'
import { readSentEvidence } from '../../verifier/evidence-request.ts'

/** A body of POST verify/evidence, as its bytes, and whether it is valid. */
interface Vector {
  readonly id: string
  readonly valid: boolean
  readonly bytes: Uint8Array
}

/** The vectors of a JSON file, which has bodies as objects, in their order. */
export function loadVectors(file: string): readonly Vector[] {
  const vectors: readonly (Omit<Vector, 'bytes'> & { readonly body: object })[] = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return vectors.map(({ body, ...vector }) => ({
    ...vector,
    bytes: Buffer.from(JSON.stringify(body)),
  }))
}

const { ignore_tomtou_errors, measured_boot_policy_name } = loadConfig('verifier', undefined, [])

/** Whether evidence is valid. Refused evidence is not; a fault, which a client sees as HTTP 500, is no verdict. */
async function verdictOn(bytes: Uint8Array): Promise<'valid' | 'invalid' | 'fault'> {
  // A new one each time, as it remembers policies and lists that were read with another mutant.
  const evaluator = inProcessEvaluators()({ limit: Number.POSITIVE_INFINITY })
  const settings = {
    ignoreTomtouErrors: ignore_tomtou_errors,
    bootPolicyName: measured_boot_policy_name,
  }
  try {
    const evidence = readSentEvidence(parseJson(bytes))
    const { verdict } = await evaluator.evaluateSent({ kind: 'sent', evidence, ...settings })
    return verdict === 'pass' ? 'valid' : 'invalid'
  } catch (error) {
    return error instanceof ApiError && error.status < 500 ? 'invalid' : 'fault'
  } finally {
    await evaluator.close()
  }
}

/** The id of the first vector with the wrong verdict; undefined if each is right. */
export async function firstWrong(vectors: readonly Vector[]): Promise<string | undefined> {
  for (const { id, valid, bytes } of vectors)
    if ((await verdictOn(bytes)) !== (valid ? 'valid' : 'invalid')) return id
  return undefined
}
