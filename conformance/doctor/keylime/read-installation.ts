import { SetupFault } from '../../input/fault.ts'
import type { InitOptions } from '../doctor-options.ts'
import { answersOf, type ConfiguredAnswers } from './answers.ts'
import { COMPONENTS, type ConfigPlaces, readSettings } from './read-settings.ts'

/** What the configuration files of an installation say, and which they are; no files if none are looked for. */
export interface Configured extends Pick<ConfiguredAnswers, 'http' | 'mode' | 'time'> {
  readonly files: readonly string[]
  /** The options of `assay init` that they answer. */
  readonly options: Partial<Omit<ConfiguredAnswers, 'http' | 'mode' | 'time'>> & {
    readonly name?: string
  }
}

const NONE: Configured = { files: [], options: {}, time: {} }

interface Places {
  readonly configured?: ConfigPlaces
  readonly stateDirectory?: string | undefined
}

/**
 * Reads the configuration that `--config-dir` names, or that of this machine if no URL is given. Throws a
 * {@link SetupFault} if the directory that is named has none, or for a value that cannot be used.
 */
export function readInstallation(
  given: InitOptions,
  { configured, stateDirectory = '/var/lib/keylime' }: Places,
): Configured {
  const { configDir } = given
  const isNamed = given.verifier !== undefined || given.registrar !== undefined
  const places =
    configDir === undefined ? (isNamed ? undefined : configured) : { directories: [configDir] }
  if (places === undefined) return NONE
  const found = COMPONENTS.flatMap((each) => readSettings(each, places) ?? [])
  if (found.length === 0) {
    if (configDir === undefined) return NONE
    const sentence = `${configDir} has neither verifier.conf nor registrar.conf nor tenant.conf`
    throw new SetupFault(sentence, {
      next: 'give the directory of the configuration, often /etc/keylime',
    })
  }
  const installation = Object.fromEntries(found.map((one) => [one.component, one]))
  const { answers } = answersOf(installation, stateDirectory, new Set(Object.keys(given)))
  const { http, mode, time, ...options } = answers
  const at = options.verifier ?? options.registrar
  return {
    ...{ time, files: found.flatMap(({ files }) => files) },
    options: { ...options, ...(at && { name: `Keylime at ${new URL(at).host}` }) },
    ...(http && { http }),
    ...(mode && { mode }),
  }
}
