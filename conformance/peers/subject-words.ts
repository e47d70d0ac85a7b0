import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NotApplicable } from '../attempt/endings.ts'
import { subjectOf } from '../target/deployment/start-subject.ts'
import type { SubjectRole, Target } from '../target/target.ts'
import type { HarnessAuthority } from './harness-authority.ts'

/** The commands of a subject that a target file may leave out, by their keys there. */
const KEYS = {
  defaultTls: 'default_tls',
  withHost: 'with_host',
  otherAlgorithms: 'other_algorithms',
} as const

/** @throws {NotApplicable} if the target file does not have the words of a subject for these circumstances */
export function requireWords(target: Target, role: SubjectRole, name: keyof typeof KEYS): void {
  if (subjectOf(target, role)?.[name] === undefined)
    throw new NotApplicable(`the target file names no roles.${role}.${KEYS[name]}`)
}

/** Writes the files that a verifier with `tls_dir = generate` makes (interface document, "Certificate requirements"). */
export function writeDefaultFiles(
  directory: string,
  { issuer, admin }: Pick<HarnessAuthority, 'issuer' | 'admin'>,
): void {
  const place = join(directory, 'cv_ca')
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const write = (name: string, text: string) =>
    writeFileSync(join(place, name), text, { mode: 0o600 })
  write('cacert.crt', issuer.certificate)
  write('client-cert.crt', admin.certificate?.cert ?? '')
  write('client-private.pem', admin.certificate?.key ?? '')
}
