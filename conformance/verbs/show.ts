import { dirname, join } from 'node:path'
import { Command } from 'commander'
import picocolors from 'picocolors'
import { SetupFault } from '../input/fault.ts'
import { nearest } from '../input/nearest.ts'
import { ownRun } from '../input/own-command.ts'
import { parse } from '../options/cli-options.ts'
import type { OutputStream } from '../report/console/live-lines.ts'
import { loadResult } from '../report/json/load-result.ts'
import { reasonOf } from '../report/outcomes.ts'
import { wantsColour } from '../report/progress.ts'
import type { ScenarioResult } from '../report/result.ts'
import { loadTranscripts, TranscriptsError } from '../report/transcripts/load-transcripts.ts'
import { presentTranscript } from '../report/transcripts/present-transcript.ts'
import type { KeptTranscript } from '../report/transcripts/transcripts.ts'
import { TRANSCRIPTS_FILE } from '../report/transcripts/write-transcripts.ts'
import { shortLine, visibleLine } from '../report/visible.ts'

interface ShowOptions {
  readonly version?: string
  readonly transcripts: string
}

/** The options, and the scenarios of `result.json` in the same directory, if it exists. */
interface Request extends ShowOptions {
  readonly id: string
  readonly scenarios: readonly ScenarioResult[] | undefined
}

const showCommand = (): Command =>
  new Command('assay report show')
    .description('prints the transcript of a scenario: wire, TPM and notes')
    .argument('<id>', 'id of the scenario')
    .option('--version <version>', 'API version (default: all that were kept)')
    .option(
      '--transcripts <file>',
      'transcripts of the run',
      join('reports', 'out', TRANSCRIPTS_FILE),
    )

const scenariosNextTo = async (path: string): Promise<readonly ScenarioResult[] | undefined> => {
  try {
    return (await loadResult(join(dirname(path), 'result.json'))).scenarios
  } catch (error) {
    if (error instanceof SetupFault) return undefined
    throw error
  }
}

const runsOf = ({ scenarios, id, version }: Request): readonly ScenarioResult[] =>
  (scenarios ?? []).filter(
    (one) => one.id === id && (version === undefined || one.version === version),
  )

/** The command that repeats a scenario and keeps its transcript. */
const repeatOf = (request: Request): string => {
  const [one] = runsOf(request)
  return visibleLine(one?.repeat ?? `${ownRun()} --only ${request.id}`)
}

const unknownScenario = ({ scenarios = [], id, version }: Request): SetupFault => {
  const versions = scenarios.filter((one) => one.id === id).map((one) => one.version)
  if (versions.length > 0)
    return new SetupFault(`${id} did not run under ${version}`, {
      next: `give --version ${versions.join(' or ')}`,
    })
  const guess = nearest(id, [...new Set(scenarios.map((one) => one.id))])
  return new SetupFault(`the run has no scenario ${visibleLine(id)}`, {
    next: guess === undefined ? 'assay list shows all of them' : `assay report show ${guess}`,
  })
}

/** Why there is no transcript. */
const explain = (request: Request): SetupFault => {
  const [one] = runsOf(request)
  if (one === undefined && request.scenarios !== undefined) return unknownScenario(request)
  const next = `repeat it with ${repeatOf(request)}`
  if (one === undefined || one.transcript.kept)
    return new SetupFault(
      `${request.transcripts} has no transcript of ${visibleLine(request.id)}`,
      {
        next,
      },
    )
  const why =
    one.transcript.entries === 0
      ? shortLine(reasonOf(one), 300)
      : 'it was not kept, because it passed and the run was without --transcripts all'
  return new SetupFault(`${one.id} under ${one.version} has no transcript: ${why}`, { next })
}

const keptFor = async (request: Request): Promise<readonly KeptTranscript[]> => {
  const { transcripts, id, version } = request
  try {
    const kept = await loadTranscripts(transcripts, id)
    return kept.filter((one) => version === undefined || one.version === version)
  } catch (error) {
    if (!(error instanceof TranscriptsError)) throw error
    throw new SetupFault(error.message, { next: `write it again with ${repeatOf(request)}` })
  }
}

/**
 * `assay report show ID`: prints the transcript under each version that has one. Throws `SetupFault` if there is
 * none.
 */
export const show = async (argv: readonly string[], stream: OutputStream): Promise<number> => {
  const command = parse(showCommand(), argv)
  if (command === undefined) return 0
  const [id = ''] = command.args
  const options = command.opts<ShowOptions>()
  const request = { ...options, id, scenarios: await scenariosNextTo(options.transcripts) }
  const kept = await keptFor(request)
  if (kept.length === 0) throw explain(request)
  const colours = picocolors.createColors(wantsColour(stream, process.env))
  const texts = kept.map((one) => {
    const result = request.scenarios?.find((it) => it.id === id && it.version === one.version)
    return presentTranscript(one, result, colours)
  })
  stream.write(`${texts.join('\n\n')}\n`)
  return 0
}
