import { type FileHandle, open } from 'node:fs/promises'
import { BINARY_FRAMES, type ListFrames, TEXT_FRAMES, wholeEntries } from './list-frames.ts'

/** A part of the measurement list, and the line or entry, counted from 0, that it starts at. */
export interface ImaPart {
  /** Complete lines of the list in ASCII, where file names may hold any bytes, or entries of the binary one. */
  readonly lines: Uint8Array
  readonly isBinary?: boolean
  readonly entry: number
}

/** Gives the list from a line on: the whole of it when it has fewer lines. Undefined on a machine without one. */
export type ImaLog = (entry: number) => Promise<ImaPart | undefined>

/** A place in the list, between two lines, that is found again without counting. */
interface Mark {
  readonly line: number
  readonly offset: number
  /** The bytes before it: after a reboot they are others. */
  readonly before: Uint8Array
}

const START: Mark = { line: 0, offset: 0, before: new Uint8Array() }
const BEFORE = 128
const CHUNK = 1_048_576
const NEWLINE = 0x0a

/**
 * The measurement list of the kernel. It only grows, so that where it ended last time is where most
 * askers go on; a line that is not whole yet is left for the next time.
 */
export function imaLog(file: string): ImaLog {
  const { skip } = TEXT_FRAMES
  let end = START
  return async (entry) => {
    const list = await openList(file)
    if (list === undefined) return undefined
    try {
      if (await isBinary(list)) return await binaryPart(list, entry)
      // Another request may move the end meanwhile.
      const known = end
      const from = entry >= known.line && (await isThere(list, known)) ? known : START
      const bytes = await linesFrom(list, from.offset)
      const last = endOf(bytes, from)
      end = last
      if (entry > last.line) return { lines: await linesFrom(list, 0), entry: 0 }
      return { lines: bytes.subarray(skip(bytes, entry - from.line)), entry }
    } finally {
      await list.close()
    }
  }
}

async function openList(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

async function isThere(list: FileHandle, { offset, before }: Mark): Promise<boolean> {
  const { buffer, bytesRead } = await list.read(
    Buffer.alloc(before.length),
    0,
    before.length,
    offset - before.length,
  )
  return buffer.subarray(0, bytesRead).equals(before)
}

/** The PCR that the list begins with: in ASCII its digits, else a number of four bytes. */
async function isBinary(list: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await list.read(Buffer.alloc(4), 0, 4, 0)
  return bytesRead === 4 && buffer[3] === 0
}

/** The binary list is read whole each time. */
async function binaryPart(list: FileHandle, entry: number): Promise<ImaPart> {
  const lines = wholeEntries(await readFrom(list, 0))
  const from = entry > BINARY_FRAMES.linesIn(lines) ? 0 : entry
  return { lines: lines.subarray(BINARY_FRAMES.skip(lines, from)), entry: from, isBinary: true }
}

/** Whole lines from an offset to the end. */
async function linesFrom(list: FileHandle, offset: number): Promise<Buffer> {
  const bytes = await readFrom(list, offset)
  return bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
}

/** A file of the kernel does not say how long it is. */
async function readFrom(list: FileHandle, offset: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let at = offset; ; ) {
    const { buffer, bytesRead } = await list.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at)
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return Buffer.concat(chunks)
}

function endOf(bytes: Buffer, from: Mark): Mark {
  if (bytes.length === 0) return from
  let line = from.line
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) line += 1
  const before = new Uint8Array(bytes.subarray(-BEFORE))
  return { line, offset: from.offset + bytes.length, before }
}

/** How a part is divided. */
export function framesOf({ isBinary = false }: Pick<ImaPart, 'isBinary'>): ListFrames {
  return isBinary ? BINARY_FRAMES : TEXT_FRAMES
}

/** The lines as a text. @throws {TypeError} they are not UTF-8 */
export function textOf({ lines }: Pick<ImaPart, 'lines'>): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(lines)
}
