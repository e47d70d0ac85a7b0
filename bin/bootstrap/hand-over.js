import { spawn } from 'node:child_process'
import { Stop } from './stop.js'

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs Node with the arguments `words` on this terminal, forwards signals, and waits without a time limit.
 * Resolves to the exit code; 2 if a signal ended it, because then there is no verdict.
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
