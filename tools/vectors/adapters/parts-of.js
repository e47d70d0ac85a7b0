// What the adapters in JavaScript share: the lines of `assay vectors run`, the parts of a quote, and files for a program.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** @typedef {Record<string, any>} Body */

const directory = mkdtempSync(join(tmpdir(), 'assay-adapter-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

/**
 * Writes a file for a program and returns its path.
 * @param {string} name
 * @param {string | Uint8Array} content
 */
export function file(name, content) {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

/** Bytes that a program may print; a damaged log of 256 KiB can lead to a line for each of its bytes. */
const MOST_PRINTED = 64 << 20

/**
 * Runs a program; returns its exit code, or the signal that ended it, and what it printed, without paths of this machine. Ends
 * the adapter if there is no such program.
 * @param {string} program
 * @param {string[]} words
 */
export function run(program, words) {
  const ended = spawnSync(program, words, { maxBuffer: MOST_PRINTED })
  const { status, signal, stdout, stderr, error } = ended
  if (error === undefined)
    return { status, signal, printed: `${stderr}${stdout}`.replaceAll(directory, '').trim() }
  process.stderr.write(`${program} cannot be started: ${error.message}\n`)
  process.exit(1)
}

/**
 * Runs `judge`, and returns what it throws as an error: bytes that cannot be read.
 * @param {() => object} judge
 */
function judged(judge) {
  try {
    return judge()
  } catch (error) {
    return { error: String(error) }
  }
}

/**
 * Message, signature and PCR values of a quote; undefined if it is not three parts of base64.
 * @param {Body} body
 */
export function quoteOf({ quote }) {
  const match = /^r([\w+/=-]*):([\w+/=-]*):([\w+/=-]*)$/.exec(
    typeof quote === 'string' ? quote : '',
  )
  if (match === null) return undefined
  const bytes = (/** @type {number} */ at) => Buffer.from(match[at] ?? '', 'base64')
  return { message: bytes(1), signature: bytes(2), pcrs: bytes(3) }
}

/**
 * Answers every line of the standard input.
 * @param {(body: Body) => object} judge
 */
export async function each(judge) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, ...body } = JSON.parse(line)
    process.stdout.write(`${JSON.stringify({ id, ...judged(() => judge(body)) })}\n`)
  }
}
