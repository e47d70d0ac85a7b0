import { spawn } from 'node:child_process'
import { Stop } from './stop.js'

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs Node on `words` with this terminal, passes signals on to it, and waits for its end, however long that takes.
 * Resolves to its exit code; 2 when a signal ended it, since there is no verdict then.
 * @param {string[]} words
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export function handOver(words, options = {}) {
  const child = spawn(process.execPath, words, { ...options, stdio: 'inherit' })
  const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Stop(`cannot start Node: ${error.message}`)))
    child.once('exit', (code) => {
      for (const signal of FORWARDED) process.off(signal, forward)
      resolve(code ?? 2)
    })
  })
}
