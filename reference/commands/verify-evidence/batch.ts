import { once } from 'node:events'
import { parseJson } from '../../api/bodies/parse-json.ts'
import { loadConfig } from '../../config/config.ts'
import { ApiError } from '../../errors.ts'
import type { Evaluator, EvaluatorSettings } from '../../verifier/evaluation/evaluator.ts'
import { inProcessEvaluators } from '../../verifier/evaluation/in-process-evaluator.ts'
import { readSentEvidence } from '../../verifier/evidence-request.ts'
import { parseBatchOptions } from './options.ts'
import { offlineVerdict } from './present.ts'

const NEWLINE = 0x0a

/**
 * The lines of a stream without their newlines, those that end in the same chunk together. A line of more than `most` bytes
 * comes as undefined, and its bytes are not kept; bytes after the last newline are a line too.
 */
async function* readLines(
  input: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<readonly (Uint8Array | undefined)[]> {
  let held: Uint8Array[] = []
  let size = 0
  const take = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > most) held = []
    else held.push(bytes)
  }
  const finish = () => {
    const line = size > most ? undefined : new Uint8Array(Buffer.concat(held))
    held = []
    size = 0
    return line
  }
  for await (const chunk of input) {
    const lines: (Uint8Array | undefined)[] = []
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at))
      lines.push(finish())
      from = at + 1
    }
    take(chunk.subarray(from))
    yield lines
  }
  if (size > 0) yield [finish()]
}

/** Where a batch comes from, where its verdicts go, and what evaluates it. */
export interface BatchStreams {
  readonly input: AsyncIterable<Uint8Array>
  readonly out: NodeJS.WritableStream
  readonly evaluator?: ((settings: EvaluatorSettings) => Evaluator) | undefined
}

/** What POST verify/evidence reads of a body at most. */
const LONGEST_LINE = 16 * 1024 * 1024

/**
 * `assay verify-evidence --batch`: for each line of the input, a body of POST verify/evidence, one line of JSON with its verdict or
 * with the reason why there is none (reports/schema/verify-evidence-batch.schema.json). Returns exit code 0 at the end of the input.
 *
 * @throws {StartFault} exit code 2: an option or a file of settings cannot be read
 * @throws {Error} a fault of the evaluation, which ends the process
 */
export async function verifyBatchMain(
  argv: readonly string[],
  { input, out, evaluator = inProcessEvaluators() }: BatchStreams,
): Promise<number> {
  const options = parseBatchOptions(argv)
  if (options === undefined) return 0
  const config = loadConfig('verifier', options.config, options.set)
  const limit = options.limit ? config.evaluation_limit * 1000 : Number.POSITIVE_INFINITY
  const offline = evaluator({ workers: 1, publicWorkers: 1, limit, waiting: 0 })
  const most = Math.min(LONGEST_LINE, config.max_upload_size)
  const settings = {
    ignoreTomtouErrors: config.ignore_tomtou_errors,
    bootPolicyName: config.measured_boot_policy_name,
  }
  const answer = async (line: Uint8Array | undefined): Promise<object> => {
    if (line === undefined) return refusal(`the line has more than ${most} bytes`)
    try {
      const evidence = readSentEvidence(parseJson(line))
      return offlineVerdict(await offline.evaluateSent({ kind: 'sent', evidence, ...settings }))
    } catch (error) {
      if (error instanceof ApiError) return refusal(error.message, error.pointer)
      throw error
    }
  }
  for await (const lines of readLines(input, most)) {
    // Written together, as each write to a pipe takes as long as a small evaluation.
    let answers = ''
    for (const line of lines) answers += `${JSON.stringify(await answer(line))}\n`
    if (answers !== '' && !out.write(answers)) await once(out, 'drain')
  }
  await offline.close()
  return 0
}

/** The answer to a line without a verdict; `pointer` is a JSON pointer to the member at fault. */
function refusal(error: string, pointer?: string): object {
  return { schema: 'assay.verify-evidence-error/1', error, pointer: pointer ?? null }
}
