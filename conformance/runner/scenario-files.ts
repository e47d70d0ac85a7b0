import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../input/package-root.ts'

/** Tests, declarations and support modules. */
const OTHER_FILES = /\.(d|test)\.[jt]s$|(^|[\\/])support[\\/]/

/** The default export of a file in a scenario folder, with its path in that folder. */
type ScenarioFile = readonly [path: string, exported: unknown]

/**
 * Loads every scenario below `scenarios/`, or another folder. In a build this function uses a generated list
 * (bin/bootstrap/esbuild-plugins.js).
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
