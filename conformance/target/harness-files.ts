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
  /** Of the servers at 127.0.0.1. */
  readonly server: CredentialFiles
} {
  const at = (name: string) => join(run, 'judge', name)
  return {
    ca: at('ca.crt'),
    admin: { certificate: at('admin.crt'), key: at('admin.key') },
    server: { certificate: at('server.crt'), key: at('server.key') },
    issuer: { certificate: at('ca.crt'), key: at('ca.key') },
  }
}
