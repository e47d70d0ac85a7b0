import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeOut } from '../catalogue/adversarial/evidence-file.ts'
import { encodeCertificate, encodePort } from '../client/agents/registration.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { packageRoot } from '../input/package-root.ts'

export type Members = Readonly<Record<string, unknown>>

/** A baseline registration with one change. */
export interface RegistrationVariant {
  readonly case: number
  readonly id: string
  readonly what: string
  readonly of: string
  readonly change: Members
  readonly outcome: 'refused' | 'accepted' | 'either'
}

interface RegistrationFile {
  readonly baselines: Readonly<Record<string, Members>>
  readonly variants: readonly RegistrationVariant[]
}

const FILE = join(packageRoot(), 'fixtures', 'adversarial', 'e5-registration.json')

export function loadRegistrationFile(): RegistrationFile {
  return JSON.parse(readFileSync(FILE, 'utf8')) as RegistrationFile
}

let file: RegistrationFile | undefined

/** Members of a baseline registration, in the document's form. */
export function baselineRegistration(name: string): Members {
  file ??= loadRegistrationFile()
  const members = file.baselines[name]
  if (members === undefined) throw new Error(`there is no baseline registration ${name}`)
  return members
}

/**
 * Body of a baseline registration in a dialect, with the members of a change unmodified: the change is sent even
 * in members that the dialect does not have.
 */
export function registrationBody(baseline: Members, change: Members, dialect: Dialect): Members {
  const { agent_id: _, ...changed } = writeOut(change) as Members
  return { ...inDialect(baseline, dialect), ...changed }
}

function inDialect({ ek_tpm, ekcert, port, ...members }: Members, dialect: Dialect): Members {
  return {
    ...members,
    ...(dialect['registration-ek'] === 'ekcert-only' ? {} : { ek_tpm }),
    ekcert: encodeCertificate(Buffer.from(String(ekcert), 'base64'), dialect),
    port: encodePort(Number(port), dialect),
  }
}
