import { fromBase64 } from '../../../bytes/base64.ts'
import { parseQuoteString } from '../../../evidence/quote/quote-string.ts'
import { attempt } from '../../../tpm/codec.ts'
import { TPMT_SIGNATURE } from '../../../tpm/signature.ts'
import { inProcessEvaluators } from '../../../verifier/evaluation/in-process-evaluator.ts'
import type { SentTask } from '../../../verifier/evaluation/task.ts'
import type { Mutant } from './list-minus-one.ts'

/** The parts in which something is done before evidence is evaluated that was sent. */
function before(act: (evidence: SentTask['evidence']) => void): Mutant['parts'] {
  return {
    evaluator: (settings) => {
      const shipped = inProcessEvaluators()(settings)
      return {
        ...shipped,
        async evaluateSent(task) {
          act(task.evidence)
          return shipped.evaluateSent(task)
        },
      }
    },
  }
}

function throwAtUnknownHash({ quote }: SentTask['evidence']): void {
  const { value } = attempt(TPMT_SIGNATURE, parseQuoteString(quote).signature)
  if ((value?.value.hash ?? 0) > 0x20) throw new TypeError('no such hash')
}

function sizeOf(evidence: SentTask['evidence']): number {
  return JSON.stringify(evidence).length
}

const NS_PER_BYTE_AND_BYTE = 1

function workBySquare(evidence: SentTask['evidence']): void {
  const end = performance.now() + (sizeOf(evidence) ** 2 * NS_PER_BYTE_AND_BYTE) / 1e6
  while (performance.now() < end) fromBase64('AAAA')
}

const held: Buffer[] = []

function holdManyTimes(evidence: SentTask['evidence']): void {
  held[0] = Buffer.alloc(sizeOf(evidence) * 4096, 1)
}

let count = 0

/** The parts in which every second evaluation loses its findings. */
const CHANGING: Mutant['parts'] = {
  evaluator: (settings) => {
    const shipped = inProcessEvaluators()(settings)
    return {
      ...shipped,
      async evaluateSent(task) {
        const evaluation = await shipped.evaluateSent(task)
        count += 1
        return count % 2 === 0 ? { ...evaluation, findings: [] } : evaluation
      },
    }
  },
}

/**
 * Evaluators that are found by `assay fuzz` alone: they end, hang or grow at some input, or answer the same input in two ways.
 * No scenario judges them.
 */
export const EVALUATOR_MUTANTS: readonly Mutant[] = [
  {
    id: 'evaluation-throws',
    defect: 'a signature over an unknown hash ends the process',
    parts: before(throwAtUnknownHash),
  },
  {
    id: 'evaluation-slow',
    defect: 'the work grows with the square of the evidence',
    parts: before(workBySquare),
  },
  {
    id: 'evaluation-large',
    defect: 'each byte of the evidence needs four thousand of memory',
    parts: before(holdManyTimes),
  },
  {
    id: 'evaluation-changes',
    defect: 'the same evidence has other failures when it is sent again',
    parts: CHANGING,
  },
]
