import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { nearest } from '../../conformance/input/nearest.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { loadResult } from '../../conformance/report/json/load-result.ts'
import { OUTCOME_ROWS } from '../../conformance/report/outcomes.ts'
import type { RunResult, ScenarioResult } from '../../conformance/report/result.ts'
import {
  loadTpmStates,
  loadTranscripts,
  TranscriptsError,
} from '../../conformance/report/transcripts/load-transcripts.ts'
import type {
  KeptTpmState,
  KeptTranscript,
} from '../../conformance/report/transcripts/transcripts.ts'
import {
  TPM_STATES_FILE,
  TRANSCRIPTS_FILE,
} from '../../conformance/report/transcripts/write-transcripts.ts'

/** A text file, by its path in the bundle. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** What a run has recorded of one scenario under one version. */
export interface Recording {
  readonly result: RunResult
  readonly scenario: ScenarioResult
  readonly kept: KeptTranscript
  /** The states in which its virtual TPMs began, in the order of its machines. */
  readonly tpms: readonly KeptTpmState[]
  /** The file of the scenario; absent in a copy of Assay without sources. */
  readonly source?: TextFile
  /** The ends of what the deployment wrote to its output. */
  readonly logs: readonly TextFile[]
}

/** Loads the recording of `ID` or `ID@VERSION` from the directory of a run. Throws `SetupFault`. */
export async function loadRecording(directory: string, name: string): Promise<Recording> {
  try {
    return await load(directory, name)
  } catch (cause) {
    if (!(cause instanceof TranscriptsError)) throw cause
    throw new SetupFault(cause.message, { next: 'run the scenario again, then bundle it', cause })
  }
}

async function load(directory: string, name: string): Promise<Recording> {
  const result = await loadResult(join(directory, 'result.json'))
  const scenario = chooseScenario(result, name)
  const kept = await keptOf(directory, scenario)
  const { tpms: ids = [] } = kept
  const states = ids.length === 0 ? [] : await loadTpmStates(join(directory, TPM_STATES_FILE))
  const source = sourceOf(scenario)
  return {
    ...{ result, scenario, kept, logs: logsOf(directory, result) },
    tpms: ids.map((id) => stateOf(states, id)),
    ...(source === undefined ? {} : { source }),
  }
}

function chooseScenario({ scenarios }: RunResult, name: string): ScenarioResult {
  const [id = '', version] = name.split('@')
  const named = scenarios.filter((one) => one.id === id)
  const chosen = version === undefined ? named : named.filter((one) => one.version === version)
  const failed = chosen.find(({ outcome }) => OUTCOME_ROWS[outcome].tally === 'failed')
  const one = failed ?? chosen[0]
  if (one !== undefined) return one
  const versions = named.map((each) => `${id}@${each.version}`)
  if (versions.length > 0)
    throw new SetupFault(`${id} did not run under ${version}`, {
      next: `give ${versions.join(' or ')}`,
    })
  const guess = nearest(id, [...new Set(scenarios.map((each) => each.id))])
  throw new SetupFault(`the run has no scenario ${id}`, {
    next: guess === undefined ? 'assay list shows all of them' : `assay bundle ${guess}`,
  })
}

async function keptOf(directory: string, scenario: ScenarioResult): Promise<KeptTranscript> {
  const { id, version, repeat } = scenario
  const all = scenario.transcript.kept
    ? await loadTranscripts(join(directory, TRANSCRIPTS_FILE), id)
    : []
  const kept = all.find((one) => one.version === version)
  if (kept !== undefined) return kept
  throw new SetupFault(`the run kept no transcript of ${id} under ${version}`, {
    next: `repeat it with ${repeat} --transcripts all, then bundle it`,
  })
}

function stateOf(states: readonly KeptTpmState[], id: string): KeptTpmState {
  const state = states.find((one) => one.id === id)
  if (state !== undefined) return state
  throw new SetupFault(`${TPM_STATES_FILE} does not have the state ${id} of a virtual TPM`, {
    next: 'run the scenario again, and keep the files of a run together',
  })
}

/** The path of a scenario's file; a result of someone else may name any other. */
const SOURCE = /^scenarios(?:\/[\w-]+)+\.ts$/

function sourceOf({ source = '' }: ScenarioResult): TextFile | undefined {
  const file = join(packageRoot(), source)
  if (!SOURCE.test(source) || !existsSync(file)) return undefined
  return { path: source, text: readFileSync(file, 'utf8') }
}

/** Characters of a log that go into a bundle: its end. */
const LOG_END = 64 * 1024

/** The logs of the run whose directory was made last before the result began. */
function logsOf(directory: string, { started_at: startedAt }: RunResult): readonly TextFile[] {
  const runs = join(directory, 'runs')
  if (!existsSync(runs)) return []
  const latest = startedAt.replace(/[:.]/g, '-')
  const name = readdirSync(runs)
    .filter((one) => one.slice(0, latest.length) <= latest)
    .toSorted()
    .at(-1)
  const logs = join(runs, name ?? '', 'logs')
  if (name === undefined || !existsSync(logs)) return []
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter((one) => /\.(err|out)$/.test(one))
    .map((one) => ({
      path: `logs/${one}`,
      text: readFileSync(join(logs, one), 'utf8').slice(-LOG_END),
    }))
    .filter(({ text }) => text !== '')
}
