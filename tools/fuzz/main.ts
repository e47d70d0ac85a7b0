import { join } from 'node:path'
import { freshSeed } from '../../conformance/attempt/random.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import type { OutputStream } from '../../conformance/report/console/live-lines.ts'
import { openConsole } from '../../conformance/report/console/open-console.ts'
import { wholeSeconds } from '../../conformance/report/console/present-times.ts'
import type { Finding } from './findings/finding.ts'
import { loadFinding } from './findings/write-findings.ts'
import { fuzzDeployment } from './fuzz-deployment.ts'
import { type FuzzOptions, parseFuzzOptions } from './fuzz-options.ts'
import type { FuzzKind } from './kinds.ts'
import { fuzzLocal } from './local/fuzz-local.ts'
import type { EvaluatorCommand } from './local/program.ts'
import type { Job } from './run-campaigns.ts'

const OFFLINE = ['bin/assay.js', 'verify-evidence', '--batch'] as const

/** The reference's evaluator, of this copy of Assay. */
function ownEvaluator(): EvaluatorCommand {
  const [script, ...words] = OFFLINE
  return [process.execPath, join(packageRoot(), script), ...words]
}

function kindOf(options: FuzzOptions, finding: Finding | undefined): FuzzKind {
  const kind = finding?.kind ?? options.kind
  if (kind !== undefined) return kind
  throw new SetupFault('what is to be mutated?', { next: 'assay fuzz --help lists the kinds' })
}

/** What is fuzzed, and the options that name it. */
function subjectOf({ target, command }: FuzzOptions): Pick<Job, 'target' | 'again'> {
  if (target !== undefined) return { target, again: ` --target ${target}` }
  if (command === undefined) return { target: ['node', ...OFFLINE].join(' '), again: '' }
  return { target: command, again: ` --command '${command.replaceAll("'", "'\\''")}'` }
}

/**
 * `assay fuzz KIND`: sends mutated evidence to an evaluator on this machine, or with `--target FILE` to a deployment, and
 * compares the answers with what the evidence says. `argv[0]` is the verb. Returns 0 when nothing was found, 1 with findings;
 * what keeps it from running is a {@link SetupFault}.
 */
export async function main(
  [, ...words]: readonly string[],
  stream: OutputStream = process.stdout,
): Promise<number> {
  const options = parseFuzzOptions(words)
  if (options === undefined) return 0
  const finding = options.replay === undefined ? undefined : loadFinding(options.replay)
  const seed = options.seed ?? finding?.seed ?? freshSeed()
  const kind = kindOf(options, finding)
  const console = openConsole({ stream })
  const job: Job = { options, kind, seed, finding, ...subjectOf(options), ...console }
  console.does((ms) => `  setting up, ${wholeSeconds(ms)}`)
  try {
    if (options.target !== undefined) return await fuzzDeployment(job)
    return await fuzzLocal(job, options.command ?? ownEvaluator())
  } finally {
    console.close()
  }
}
