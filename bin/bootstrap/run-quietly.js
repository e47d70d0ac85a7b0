import { spawn } from 'node:child_process'

const QUOTED_LINES = 6

/**
 * How a command ended, and what it printed.
 * @typedef {{ status: number | null, stdout: string, stderr: string, error?: NodeJS.ErrnoException }} Ending
 */

/**
 * Runs a command without a word of its own on the terminal; never rejects.
 * @param {string} command
 * @param {readonly string[]} words
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<Ending>}
 */
export function runQuietly(command, words, options = {}) {
  const child = spawn(command, [...words], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    said.stderr += chunk
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: null, ...said, error }))
    child.once('close', (status) => resolve({ status, ...said }))
  })
}

/**
 * The end of what a failed command printed, for a message.
 * @param {Ending} ending
 */
export function lastLines({ stdout, stderr, error }) {
  const text = [error?.message ?? '', stdout, stderr].join('\n')
  return text.trim().split('\n').slice(-QUOTED_LINES).join('\n')
}
