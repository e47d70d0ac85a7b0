import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { threadId } from 'node:worker_threads'
import { BUILD_FILE, MODULE_FILE } from './build.js'
import { readPacked } from './read-packed.js'

/**
 * Milliseconds after which a process has started and has not yet lost code: V8 drops what was compiled for the start when
 * it has not run for some time.
 */
const STARTED_MS = 2000

/**
 * Caches the code that V8 has compiled in this process, for the next process with the same use. The cache only makes starts
 * faster, so a folder that is not writable is not reported.
 * @param {Script} script
 * @param {string} file
 */
function keepCompiled(script, file) {
  const unfinished = `${file}.${process.pid}-${threadId}`
  try {
    writeFileSync(unfinished, script.createCachedData())
    renameSync(unfinished, file)
  } catch {
    // A package may be installed in a read-only folder.
  }
}

/**
 * Runs the file of a build. Processes with the same `use` share the compiled code. There is a cache of a process that went on
 * after its start, and until then one of a process that ended earlier, perhaps because of its options.
 * @param {string} build
 * @param {string} use
 */
function loadScript(build, use) {
  const filename = join(build, BUILD_FILE)
  const cacheOf = (/** @type {string} */ which) =>
    join(build, `${use}-${which}-${process.version}-${process.arch}.cache`)
  const [started, ended] = [cacheOf('started'), cacheOf('ended')]
  const found = [started, ended].find((file) => existsSync(file))
  const script = new Script(readPacked(filename), {
    filename,
    ...(found === undefined ? {} : { cachedData: readFileSync(found) }),
  })
  const module = { exports: /** @type {any} */ ({}) }
  const define = script.runInThisContext()
  define(module.exports, createRequire(filename), module, filename, dirname(filename))
  const isUsed = found !== undefined && !script.cachedDataRejected
  if (isUsed && found === started) return module.exports
  const atEnd = () => {
    if (!isUsed) keepCompiled(script, ended)
  }
  process.once('exit', atEnd)
  const onStarted = () => {
    process.off('exit', atEnd)
    keepCompiled(script, started)
  }
  setTimeout(onStarted, STARTED_MS).unref()
  return module.exports
}

/**
 * Loads one entry point of a build.
 * @param {string} build the folder of the build
 * @param {string} entry
 * @param {string} use purpose of the process, such as the verb of the command
 * @returns {Promise<any>} the exports of the entry point; undefined if the build has no such entry point
 */
export async function loadBuild(build, entry, use) {
  const module = join(build, MODULE_FILE)
  const { entries } = existsSync(module)
    ? await import(pathToFileURL(module).href)
    : loadScript(build, use)
  return await entries[entry]?.()
}
