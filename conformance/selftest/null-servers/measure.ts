import { Writable } from 'node:stream'
import type { RunOptions } from '../../options/cli-options.ts'
import type { Outcome, RunResult } from '../../report/result.ts'
import { runCommand } from '../../runner/run-command.ts'
import { readResult } from '../command.ts'
import type { NullServer } from './null-servers.ts'
import { serveNothing } from './serve-nothing.ts'

interface Measured {
  readonly exitCode: number
  readonly result: RunResult
}

/** Runs `assay run` in this process, against a null server as registrar and verifier. */
export async function measure(
  server: NullServer,
  options: Pick<RunOptions, 'only' | 'version' | 'out'> & Partial<RunOptions>,
): Promise<Measured> {
  const served = await serveNothing(server)
  const unread = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    const exitCode = await runCommand(
      {
        ...{ target: served.target, seed: '1', transcripts: 'notable', jobs: 4, role: [] },
        ...{ list: false, format: [], exclude: [], bail: false, detail: 'quiet' },
        ...{ updateBaseline: false, ...options },
      },
      unread as unknown as NodeJS.WriteStream,
    )
    return { exitCode, result: readResult(options.out) }
  } finally {
    served.close()
  }
}

const UNJUDGED: readonly Outcome[] = ['not-applicable', 'skipped']
const PASSED: readonly Outcome[] = ['pass', 'warn', 'waived']

/** How many held, and of how many: scenarios that apply, requirements under any version, and cells of matrices. */
export function sharesOf({ scenarios, requirements, matrices }: RunResult) {
  const judged = scenarios.filter(({ outcome }) => !UNJUDGED.includes(outcome))
  const held = requirements.filter((one) => Object.values(one.by_version).includes('pass'))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  return {
    scenarios: [judged.filter(({ outcome }) => PASSED.includes(outcome)).length, judged.length],
    rows: [held.length, requirements.length],
    cells: [
      sum(matrices.map(({ executed, red }) => executed - red.length)),
      sum(matrices.map(({ defined }) => defined)),
    ],
  } as const
}
