import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { inTurn } from '../../tpm/transports/in-turn.ts'
import { ensureOwnDirectory, writeOwnFile } from '../own-files.ts'
import { runFile } from '../run-file.ts'
import { type ActionPlaces, findActions } from './find-actions.ts'
import type { SignedRevocation, verifyRevocation } from './verify-revocation.ts'

interface RevocationSettings extends ActionPlaces {
  /** Whether anything is done about a message. */
  readonly isEnabled: boolean
  /** PEM of the certificate that verifies messages. */
  readonly certificate: string
  /** Where a message is put for the actions to read; only its owner enters it. */
  readonly scratch: string
}

interface RevocationParts {
  readonly settings: RevocationSettings
  readonly verify: typeof verifyRevocation
  readonly log: {
    info(sentence: string): void
    warn(sentence: string): void
  }
}

interface Revocations {
  /** Checks a message and acts on it asynchronously: the verifier already has its answer. */
  take(revocation: SignedRevocation): void
  /** Stops a running action, and waits for work in progress. */
  close(): Promise<void>
}

export function revocations(parts: RevocationParts): Revocations {
  const queue = inTurn()
  const closing = new AbortController()
  return {
    take(revocation) {
      if (!parts.settings.isEnabled) return
      queue(() => act(parts, revocation, closing.signal)).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        parts.log.warn(`revocation message ignored: ${why}`)
      })
    },
    close() {
      closing.abort()
      return queue(async () => undefined)
    },
  }
}

async function act(
  { settings, verify, log }: RevocationParts,
  revocation: SignedRevocation,
  signal: AbortSignal,
): Promise<void> {
  const verdict = verify(readCertificate(settings.certificate), revocation)
  if (!verdict.ok) return log.warn(`revocation message ignored: ${verdict.why}`)
  const { files, missing } = findActions(settings)
  for (const name of missing) log.warn(`no such revocation action: ${JSON.stringify(name)}`)
  ensureOwnDirectory(settings.scratch)
  const message = resolve(settings.scratch, 'revocation.json')
  writeOwnFile(message, JSON.stringify(verdict.message))
  for (const file of files) {
    chmodSync(file, 0o700)
    const code = await runFile(resolve(file), [message], { cwd: settings.scratch, signal })
    log.info(`revocation action ${file} ended with ${code}`)
  }
  rmSync(message, { force: true })
}

/** Read on each use: it comes with a payload, and a later payload may replace it. */
function readCertificate(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
