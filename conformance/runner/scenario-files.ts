import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../input/package-root.ts'

/** Tests, declarations and what scenarios are supported by. */
const OTHER_FILES = /\.(d|test)\.[jt]s$|(^|[\\/])support[\\/]/

/** What a file of a scenario folder exports by default, with its path in that folder. */
export type ScenarioFile = readonly [path: string, exported: unknown]

/**
 * Loads every scenario below `scenarios/`, or another folder. A build has this function from its own list of them
 * (bin/bootstrap/scenario-index.js).
 */
export async function loadScenarioFiles(
  directory = join(packageRoot(), 'scenarios'),
): Promise<readonly ScenarioFile[]> {
  const names = await readdir(directory, { recursive: true })
  const files = names.filter((name) => /\.[jt]s$/.test(name) && !OTHER_FILES.test(name))
  return Promise.all(
    files.sort().map(async (name) => {
      const module = (await import(pathToFileURL(join(directory, name)).href)) as {
        default?: unknown
      }
      return [name, module.default] as const
    }),
  )
}
