import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { threadId } from 'node:worker_threads'
import { BUILD_FILE, MODULE_FILE } from './build.js'

/**
 * Keeps what V8 has compiled of a build by the end of this process, for the next that does the same. Without it a
 * start is half as fast again, so nothing is said where the folder cannot be written.
 * @param {Script} script
 * @param {string} file
 */
function keepCompiled(script, file) {
  const unfinished = `${file}.${process.pid}-${threadId}`
  try {
    writeFileSync(unfinished, script.createCachedData())
    renameSync(unfinished, file)
  } catch {
    // A package may lie where nobody can write.
  }
}

/**
 * Runs the file of a build. Processes of the same `use` share what V8 has compiled of it.
 * @param {string} build
 * @param {string} use
 */
function loadScript(build, use) {
  const filename = join(build, BUILD_FILE)
  const kept = join(build, `${use}-${process.version}-${process.arch}.cache`)
  const isKept = existsSync(kept)
  const script = new Script(readFileSync(filename, 'utf8'), {
    filename,
    ...(isKept ? { cachedData: readFileSync(kept) } : {}),
  })
  const module = { exports: /** @type {any} */ ({}) }
  const define = script.runInThisContext()
  define(module.exports, createRequire(filename), module, filename, dirname(filename))
  if (!isKept || script.cachedDataRejected) process.once('exit', () => keepCompiled(script, kept))
  return module.exports
}

/**
 * Loads one entry point of a build.
 * @param {string} build the folder of the build
 * @param {string} entry
 * @param {string} use what the process is for, such as the verb of the command
 * @returns {Promise<any>} what the module of the entry point exports; undefined where the build has no such entry point
 */
export async function loadBuild(build, entry, use) {
  const module = join(build, MODULE_FILE)
  const { entries } = existsSync(module)
    ? await import(pathToFileURL(module).href)
    : loadScript(build, use)
  return await entries[entry]?.()
}
