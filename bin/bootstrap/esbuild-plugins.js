import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The module that loads scenarios from their folder; in a build it contains the list of scenarios. */
const LOADER = /[\\/]conformance[\\/]runner[\\/]scenario-files\.ts$/

/** Tests, declarations and support modules. */
const OTHER_FILES = /\.(d|test)\.ts$|(^|[\\/])support[\\/]/

/** @param {string} directory */
function indexText(directory) {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !OTHER_FILES.test(name))
    .sort()
  const imports = files.map(
    (file, at) => `import s${at} from ${JSON.stringify(join(directory, file))}`,
  )
  const rows = files.map((file, at) => `[${JSON.stringify(file)}, s${at}]`)
  return [...imports, `export const files = [${rows.join(',')}]`].join('\n')
}

/**
 * Scenarios are discovered in their folder, which a bundle does not have, so the module that discovers them is replaced by
 * one that imports each by name.
 * @param {string} directory the folder of scenarios
 * @returns {import('esbuild').Plugin}
 */
export function scenarioIndex(directory) {
  const namespace = 'scenarios'
  return {
    name: 'scenario-index',
    setup(build) {
      build.onLoad({ filter: LOADER }, () => ({
        contents:
          "export const loadScenarioFiles = async () => (await import('assay:scenarios')).files",
      }))
      build.onResolve({ filter: /^assay:scenarios$/ }, ({ path }) => ({ path, namespace }))
      build.onLoad({ filter: /.*/, namespace }, () => ({
        contents: indexText(directory),
        resolveDir: directory,
        loader: 'js',
      }))
    },
  }
}

/**
 * tsyringe, a dependency of @peculiar/x509, requires `reflect-metadata` to be loaded first. A bundle does not keep the
 * order of two independent imports, so the import is added to tsyringe itself.
 * @type {import('esbuild').Plugin}
 */
export const reflectFirst = {
  name: 'reflect-first',
  setup(build) {
    build.onLoad({ filter: /[\\/]tsyringe[\\/]dist[\\/]esm5[\\/]index\.js$/ }, ({ path }) => ({
      contents: `import 'reflect-metadata'\n${readFileSync(path, 'utf8')}`,
      loader: 'js',
    }))
  },
}
