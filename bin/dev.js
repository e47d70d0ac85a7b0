#!/usr/bin/env node
/**
 * `node bin/dev.js <source file> [arguments]`: builds a development program, such as a benchmark, and runs it with the
 * arguments. The path of the file is relative to the root of the repository.
 */
import { existsSync } from 'node:fs'
import { ensureBuilt } from './bootstrap/build.js'
import { developmentBundle } from './bootstrap/entries.js'
import { loadBuild } from './bootstrap/load-build.js'
import { nameSourceLines } from './bootstrap/source-lines.js'
import { printFault, Stop } from './bootstrap/stop.js'

const ROOT = new URL('../', import.meta.url)

/** @param {string} source */
async function buildOf(source) {
  if (!source.endsWith('.ts') || !existsSync(new URL(source, ROOT)))
    throw new Stop(`"${source}" is not a source file of this repository`)
  return await ensureBuilt(ROOT, developmentBundle(ROOT, source))
}

const [node = '', , source = '', ...words] = process.argv
try {
  const build = await buildOf(source)
  process.argv = [node, source, ...words]
  nameSourceLines(build, ROOT)
  await loadBuild(build, 'main', 'main')
} catch (error) {
  if (!(error instanceof Stop)) throw error
  printFault(error)
  process.exitCode = 2
}
