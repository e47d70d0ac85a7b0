import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { reasonOfSystem } from '../../input/fault.ts'
import { PublishedSchema } from '../json/published-schema.ts'
import { shortLine } from '../visible.ts'
import type { KeptTpmState, KeptTranscript } from './transcripts.ts'

const TRANSCRIPT = new PublishedSchema<KeptTranscript>('transcript.schema.json')
const TPM_STATE = new PublishedSchema<KeptTpmState>('tpm-state.schema.json')

const NEWLINE = 0x0a

/** A transcripts file that cannot be used; the message is one sentence. */
export class TranscriptsError extends Error {}

const damaged = (path: string, why: string): TranscriptsError =>
  new TranscriptsError(`${path} is damaged or no file of a run: ${shortLine(why, 200)}`)

const linesOf = (bytes: Uint8Array): readonly string[] => {
  const lines: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    lines.push(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString())
    start = end + 1
  }
  return lines
}

const read = async (path: string): Promise<Uint8Array> => {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new TranscriptsError(`${path} cannot be read: ${reasonOfSystem(cause)}`)
  }
}

/** A line of a file. */
interface Line {
  readonly path: string
  readonly text: string
  readonly at: number
}

const parse = <T>(schema: PublishedSchema<T>, { path, text, at }: Line): T => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw damaged(path, `line ${at + 1} is not JSON`)
  }
  if (schema.fits(value)) return value
  throw damaged(path, `line ${at + 1}, ${schema.problem()}`)
}

const load = async <T>(path: string, schema: PublishedSchema<T>): Promise<readonly T[]> => {
  const packed = await read(path)
  const bytes = await promisify(gunzip)(packed).catch((cause: Error) => {
    throw damaged(path, cause.message)
  })
  return linesOf(bytes).map((text, at) => parse(schema, { path, text, at }))
}

/**
 * The transcripts of a scenario under every version, or of all scenarios. Throws `TranscriptsError` if the file is missing or
 * damaged.
 */
export const loadTranscripts = async (
  path: string,
  id?: string,
): Promise<readonly KeptTranscript[]> =>
  (await load(path, TRANSCRIPT)).filter((kept) => id === undefined || kept.id === id)

/** The states of the virtual TPMs of a run. Throws `TranscriptsError` if the file is missing or damaged. */
export const loadTpmStates = (path: string): Promise<readonly KeptTpmState[]> =>
  load(path, TPM_STATE)
