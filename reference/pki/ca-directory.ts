import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartFault } from '../errors.ts'
import { makeDirectories } from '../platform/make-directories.ts'
import { NAMES } from './tls-names.ts'

/** PEM by file name; only the owner can read `.pem` files. */
export type CaFiles = Readonly<Record<string, string>>

interface CaDirectory {
  readonly directory: string
  /** Its name in messages. */
  readonly called: string
  /** Advice if it cannot be written. */
  readonly elsewhere: string
  /** Its files, one of which is the CA. */
  readonly make: () => Promise<CaFiles>
}

/**
 * Makes a directory with a CA, unless a CA exists there already. All of it appears at once: a start that is
 * interrupted leaves nothing there, and of several starts at the same time one makes it and the others take it.
 *
 * @throws {StartFault} the directory holds something, but no CA; or it cannot be written
 */
export async function ensureCaDirectory(wanted: CaDirectory): Promise<void> {
  const { directory } = wanted
  if (existsSync(join(directory, NAMES.ca))) return
  refuseRemains(wanted)
  const draft = writeDraft(wanted, await wanted.make())
  try {
    renameSync(draft, directory)
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(directory, NAMES.ca))) throw unwritable(wanted, cause)
  }
}

/** Refuses a directory with other files: a key without its CA, or unrelated ones. */
function refuseRemains({ directory, called }: CaDirectory): void {
  if (!existsSync(directory)) return
  const [first] = readdirSync(directory)
  // Another start may have put the whole directory there in between.
  if (first === undefined || existsSync(join(directory, NAMES.ca))) return
  throw new StartFault(
    `the ${called} ${directory} has ${first} but no ${NAMES.ca}`,
    `put ${NAMES.ca} back, or move the directory away so that the next start makes another`,
  )
}

/** Next to the directory, so that it can be moved into its place in one step. */
function writeDraft(wanted: CaDirectory, files: CaFiles): string {
  const { directory } = wanted
  try {
    makeDirectories(dirname(directory))
    const draft = mkdtempSync(join(dirname(directory), `.${basename(directory)}-`))
    for (const [name, text] of Object.entries(files)) {
      const mode = name.endsWith('.pem') ? 0o600 : 0o644
      writeFileSync(join(draft, name), text, { mode })
    }
    return draft
  } catch (cause) {
    throw unwritable(wanted, cause)
  }
}

function unwritable({ directory, called, elsewhere }: CaDirectory, cause: unknown): StartFault {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown'
  return new StartFault(`the ${called} ${directory} cannot be made (${code})`, elsewhere, cause)
}
