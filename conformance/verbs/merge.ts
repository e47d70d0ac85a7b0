import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { loadInterfaceDocument, loadRequirements } from '../catalogue/load-requirements.ts'
import { SetupFault } from '../input/fault.ts'
import { collectFormat, type Format, parse } from '../options/cli-options.ts'
import type { OutputStream } from '../report/console/live-lines.ts'
import { createReporters } from '../report/formats/reporters.ts'
import { loadResult } from '../report/json/load-result.ts'
import { wantsColour } from '../report/progress.ts'
import {
  loadTpmStates,
  loadTranscripts,
  TranscriptsError,
} from '../report/transcripts/load-transcripts.ts'
import { Transcripts } from '../report/transcripts/transcripts.ts'
import { TPM_STATES_FILE, TRANSCRIPTS_FILE } from '../report/transcripts/write-transcripts.ts'
import { writeReports } from '../report/write-reports.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { assayVersion } from '../runner/result/compose-result.ts'
import { mergeResults } from '../runner/result/merge-results.ts'

interface MergeOptions {
  readonly out: string
  readonly format: readonly Format[]
  readonly quiet: boolean
}

const mergeCommand = (): Command =>
  new Command('assay report merge')
    .description('joins the results of the shards of a run: one result, report and verdict')
    .argument('<results...>', 'the --out directory of each shard, or its result.json')
    .requiredOption('--out <directory>', 'directory for the reports')
    .option('--format <format>', 'one more output: github, sarif, tap or allure', collectFormat, [])
    .option('--quiet', 'print the verdict alone', false)

const resultIn = (path: string): string =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'result.json') : path

/** What the shards kept. Throws a `SetupFault` for a file that is missing or damaged. */
const loadKept = async (paths: readonly string[]): Promise<Transcripts> => {
  const transcripts = new Transcripts('all')
  try {
    for (const path of paths.map(dirname))
      transcripts.adopt(
        await loadTranscripts(join(path, TRANSCRIPTS_FILE)),
        await loadTpmStates(join(path, TPM_STATES_FILE)),
      )
    return transcripts
  } catch (error) {
    if (!(error instanceof TranscriptsError)) throw error
    throw new SetupFault(error.message, {
      next: 'copy all files of the --out directory of a shard',
    })
  }
}

/** `assay report merge A B C --out DIR`; returns the exit code of the run. */
export const merge = async (argv: readonly string[], stream: OutputStream): Promise<number> => {
  const command = parse(mergeCommand(), argv)
  if (command === undefined) return 0
  const { out, format, quiet } = command.opts<MergeOptions>()
  if (format.includes('jsonl'))
    throw new SetupFault('--format jsonl has the events of a run, and a merge has none')
  const paths = command.args.map(resultIn)
  const shards = await Promise.all(
    paths.map(async (path) => ({ name: path, result: await loadResult(path) })),
  )
  const requirements = loadRequirements()
  const result = mergeResults(shards, {
    assay_version: assayVersion(),
    interface_sha256: loadInterfaceDocument().sha256,
    scenarios: await discoverScenarios(requirements),
    requirements,
  })
  const transcripts = await loadKept(paths)
  const written = await writeReports(result, transcripts, out, format)
  const detail = quiet ? ('quiet' as const) : ('every' as const)
  const printed = { stream, colour: wantsColour(stream, process.env), detail }
  const progress = createReporters(printed, format, process.env)
  const { assay_version, seed, target } = result
  const scenarios = result.scenarios.length
  progress.started({ assay_version, seed, target: target.name, scenarios })
  progress.closing(result, written)
  return result.exit_code
}
