import { existsSync, readFileSync } from 'node:fs'
import { StartFault } from '../../errors.ts'

/** An option whose file is wanted, and what to do when it is not as it should be. */
export interface Wanted {
  /** `--ima` */
  readonly option: string
  /** completes "next: give …" */
  readonly give: string
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read by this user',
  EISDIR: 'it is a directory',
}

/** A fault of one option: `--ima list.txt: there is no such file`. */
export function inputFault(wanted: Wanted, file: string, why: string, cause?: unknown): StartFault {
  return new StartFault(`${wanted.option} ${file}: ${why}`, `give ${wanted.give}`, cause)
}

/**
 * Bytes of a file.
 *
 * @throws {StartFault} with the option, the file and why
 */
export function readBytes(wanted: Wanted, file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file))
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    throw inputFault(wanted, file, SENTENCES[code] ?? `it cannot be read (${code})`, cause)
  }
}

/**
 * Text of a file, byte for byte: the endpoint takes text, and other bytes could not be sent to it.
 *
 * @throws {StartFault} when the file is empty, no UTF-8, or holds a NUL as no text does
 */
export function readText(wanted: Wanted, file: string): string {
  const text = decodeText(readBytes(wanted, file))
  if (text === undefined) throw inputFault(wanted, file, 'it is binary, and text is needed here')
  if (text.trim() === '') throw inputFault(wanted, file, 'it is empty')
  return text
}

/** The text in the option itself where `looksRight` holds for it and no file is called so, else of the file it names. */
export function readTextOrFile(
  wanted: Wanted,
  value: string,
  looksRight: (text: string) => boolean,
): string {
  return looksRight(value) && !isFile(value) ? value : readText(wanted, value).trim()
}

/** The text of bytes, or undefined when they are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isFile(name: string): boolean {
  return name.length < 4096 && existsSync(name)
}
