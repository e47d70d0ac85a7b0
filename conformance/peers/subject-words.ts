import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NotApplicable } from '../attempt/endings.ts'
import { subjectOf } from '../target/deployment/start-subject.ts'
import type { SubjectRole, Target } from '../target/target.ts'
import type { HarnessAuthority } from './harness-authority.ts'

/** @throws {NotApplicable} if the target file has no command that leaves the settings of TLS at their defaults */
export function requireDefaultTls(target: Target, role: SubjectRole): void {
  if (subjectOf(target, role)?.defaultTls === undefined)
    throw new NotApplicable(`the target file names no roles.${role}.default_tls`)
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
