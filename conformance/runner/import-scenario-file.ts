import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { packageRoot } from '../input/package-root.ts'

/** Modules that a scenario file may import: path below `conformance/` -> the copy that runs. */
const MODULES: ReadonlyMap<string, () => Promise<object>> = new Map([
  ['scenario.ts', () => import('../scenario.ts')],
  ['model/replayed.ts', () => import('../model/replayed.ts')],
  ['dsl.ts', formerApi],
])

/** Until 0.1 scenario files imported everything from `conformance/dsl.ts`. */
async function formerApi(): Promise<object> {
  const { replayed } = await import('../model/replayed.ts')
  return { ...(await import('../scenario.ts')), relived: replayed }
}

const HERE = join(packageRoot(), 'conformance')

const modulesAreGiven: Plugin = {
  name: 'scenario-api',
  setup(build) {
    build.onResolve(
      { filter: /(^|\/)(scenario|replayed|dsl)(\.[jt]s)?$/ },
      ({ path, resolveDir }) => {
        const found = relative(HERE, resolve(resolveDir, path)).replace(/\.js$/, '.ts')
        return MODULES.has(found) ? { path: found, external: true } : undefined
      },
    )
  },
}

/** A CommonJS module as a function of its parameters. */
type Definition = (require: (id: string) => unknown, module: { exports: unknown }) => void

/**
 * Returns the default export of a scenario file outside `scenarios/`; the file may be TypeScript.
 * @throws Error if it cannot be read or built
 */
export async function importScenarioFile(file: string): Promise<unknown> {
  const path = resolve(file)
  if (import.meta.url.endsWith('.ts')) return (await import(pathToFileURL(path).href)).default
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    ...{ entryPoints: [path], bundle: true, write: false, plugins: [modulesAreGiven] },
    ...{ format: 'cjs', platform: 'node', packages: 'external', logLevel: 'silent' },
  })
  const given = new Map<string, object>()
  for (const [name, load] of MODULES) given.set(name, await load())
  const ordinary = createRequire(path)
  const module: { exports: { default?: unknown } } = { exports: {} }
  const define = new Function('require', 'module', outputFiles[0]?.text ?? '') as Definition
  define((id) => given.get(id) ?? ordinary(id), module)
  return module.exports.default
}
