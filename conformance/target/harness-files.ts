import { join } from 'node:path'
import type { CredentialFiles } from './target.ts'

/**
 * The files of the authority that issues the harness's server certificates when it plays the servers of an agent or a
 * tenant.
 */
export function harnessFiles(run: string): {
  readonly ca: string
  readonly admin: CredentialFiles
  readonly issuer: CredentialFiles
} {
  const at = (name: string) => join(run, 'judge', name)
  return {
    ca: at('ca.crt'),
    admin: { certificate: at('admin.crt'), key: at('admin.key') },
    issuer: { certificate: at('ca.crt'), key: at('ca.key') },
  }
}
