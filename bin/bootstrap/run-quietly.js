import { spawn } from 'node:child_process'

const QUOTED_LINES = 6

/**
 * Exit status and output of a command.
 * @typedef {{ status: number | null, stdout: string, stderr: string, error?: NodeJS.ErrnoException }} Ending
 */

/**
 * Runs a command and captures its output; never rejects.
 * @param {string} command
 * @param {readonly string[]} words
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<Ending>}
 */
export function runQuietly(command, words, options = {}) {
  const child = spawn(command, [...words], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: null, ...output, error }))
    child.once('close', (status) => resolve({ status, ...output }))
  })
}

/**
 * The last lines of a failed command's output, for a message.
 * @param {Ending} ending
 */
export function lastLines({ stdout, stderr, error }) {
  const text = [error?.message ?? '', stdout, stderr].join('\n')
  return text.trim().split('\n').slice(-QUOTED_LINES).join('\n')
}
