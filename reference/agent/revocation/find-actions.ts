import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ActionPlaces {
  /** Names of the settings. */
  readonly named: readonly string[]
  /** Where the actions of the machine are; empty where it has none. */
  readonly directory: string
  /** Where the payload was unpacked, with its `action_list`. */
  readonly payload: string
  /** Whether actions of the payload run too. */
  readonly takesPayload: boolean
}

interface Actions {
  /** Files to run, in the order of their names. */
  readonly files: readonly string[]
  /** Names that no file has, or that are none. */
  readonly missing: readonly string[]
}

/** The actions of the settings, then those of the payload; one of the machine goes before one of the payload. */
export function findActions(places: ActionPlaces): Actions {
  const { named, directory, payload, takesPayload } = places
  const names = [...new Set([...named, ...(takesPayload ? listedIn(payload) : [])])]
  const folders = [...(directory === '' ? [] : [directory]), ...(takesPayload ? [payload] : [])]
  const found = names.map((name) => fileOf(name, folders))
  return {
    files: found.filter((file) => file !== undefined),
    missing: names.filter((_, at) => found[at] === undefined),
  }
}

function listedIn(payload: string): readonly string[] {
  const file = join(payload, 'action_list')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split(/[,\s]+/)
    .filter((name) => name !== '')
}

/** A name must not be a path: its target would be chosen by another party. */
function fileOf(name: string, folders: readonly string[]): string | undefined {
  if (!/^\w[\w.-]*$/.test(name)) return undefined
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}
