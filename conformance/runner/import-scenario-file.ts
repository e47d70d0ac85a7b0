import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { packageRoot } from '../input/package-root.ts'

/** Modules that a scenario file may import: path below `conformance/` -> the copy of it that runs. */
const MODULES: ReadonlyMap<string, () => Promise<object>> = new Map([
  ['scenario.ts', () => import('../scenario.ts')],
  ['model/replayed.ts', () => import('../model/replayed.ts')],
  ['dsl.ts', formerApi],
])

/** Up to 0.1 a scenario file imported all from `conformance/dsl.ts`. */
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

/** A module of CommonJS as a function of what it is given. */
type Definition = (require: (id: string) => unknown, module: { exports: unknown }) => void

/**
 * Loads what a scenario file outside `scenarios/` exports by default; the file may be TypeScript.
 * @throws Error when it cannot be read or built
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
