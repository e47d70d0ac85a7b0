import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { packageRoot } from '../package-root.ts'

/** What a scenario imports; in a build a file from outside it is given the copy that runs. */
const API = join(packageRoot(), 'conformance', 'dsl.ts')

const apiIsGiven: Plugin = {
  name: 'scenario-api',
  setup(build) {
    build.onResolve({ filter: /(^|\/)dsl(\.[jt]s)?$/ }, ({ path, resolveDir }) => {
      const found = resolve(resolveDir, path).replace(/\.js$/, '.ts')
      return found === API ? { path: API, external: true } : undefined
    })
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
    ...{ entryPoints: [path], bundle: true, write: false, plugins: [apiIsGiven] },
    ...{ format: 'cjs', platform: 'node', packages: 'external', logLevel: 'silent' },
  })
  const api = await import('../dsl.ts')
  const ordinary = createRequire(path)
  const module: { exports: { default?: unknown } } = { exports: {} }
  const define = new Function('require', 'module', outputFiles[0]?.text ?? '') as Definition
  define((id) => (id === API ? api : ordinary(id)), module)
  return module.exports.default
}
