import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { JsonGeneralName } from '@peculiar/x509'
import { StartFault } from '../errors.ts'
import { type Authority, CLIENT_AUTH, createAuthority, SERVER_AUTH } from './authority.ts'
import { FIRST_ADMINISTRATOR, NAMES } from './tls-names.ts'

export interface DirectoryRequest {
  readonly directory: string
  /** Host names and addresses of the servers, beside those of this machine. */
  readonly hosts: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Makes the CA, the server certificate, the client certificates of the administrator and of the verifier,
 * and a separate CA for revocation, unless a CA stands in the directory already (interface document,
 * "Default (development) configuration"). All of it appears at once: a start that is interrupted leaves
 * nothing there, and of several starts at the same time one makes it and the others take it.
 *
 * @throws {StartFault} the directory holds something, but no CA; or it cannot be written
 */
export async function ensureTlsDirectory(request: DirectoryRequest): Promise<void> {
  const { directory } = request
  if (existsSync(join(directory, NAMES.ca))) return
  refuseRemains(directory)
  const files = await makeFiles(request)
  const draft = writeDraft(directory, files)
  try {
    renameSync(draft, directory)
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(directory, NAMES.ca))) throw unwritable(directory, cause)
  }
}

/** Nothing is made beside what is there: a key without its CA, or somebody's other files. */
function refuseRemains(directory: string): void {
  if (!existsSync(directory)) return
  const [first] = readdirSync(directory)
  // Another start may have put the whole directory there in between.
  if (first === undefined || existsSync(join(directory, NAMES.ca))) return
  throw new StartFault(
    `the TLS directory ${directory} has ${first} but no ${NAMES.ca}`,
    `put ${NAMES.ca} back, or move the directory away so that the next start makes another`,
  )
}

type Files = Readonly<Record<string, string>>

async function makeFiles({ hosts, now }: DirectoryRequest): Promise<Files> {
  const authority = await createAuthority('Assay development CA', now)
  const revocation = await createAuthority('Assay revocation CA', now)
  const server = await issueServer(authority, hosts)
  const client = (commonName: string) => authority.issue({ commonName, usage: CLIENT_AUTH })
  const admin = await client(FIRST_ADMINISTRATOR)
  const verifier = await client('verifier')
  return {
    [NAMES.ca]: authority.certificate,
    [NAMES.caKey]: authority.key,
    [NAMES.serverCertificate]: server.certificate,
    [NAMES.serverKey]: server.key,
    [NAMES.adminCertificate]: admin.certificate,
    [NAMES.adminKey]: admin.key,
    [NAMES.verifierCertificate]: verifier.certificate,
    [NAMES.verifierKey]: verifier.key,
    [NAMES.revocationCa]: revocation.certificate,
    [NAMES.revocationCaKey]: revocation.key,
  }
}

function issueServer(authority: Authority, hosts: readonly string[]) {
  const own = ['localhost', '127.0.0.1', '::1', hostname()]
  return authority.issue({
    commonName: 'server',
    usage: SERVER_AUTH,
    hosts: [...new Set([...own, ...hosts])].map(generalName),
  })
}

const DNS_NAME =
  /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i

function generalName(value: string): JsonGeneralName {
  if (isIP(value) !== 0) return { type: 'ip', value }
  if (DNS_NAME.test(value) && value.length <= 253) return { type: 'dns', value }
  throw new StartFault(
    `no certificate can be made for ${JSON.stringify(value)}: it is neither a host name nor an address`,
    'correct ip or cert_subject_alternative_names, which takes names and addresses with commas between them',
  )
}

/** Beside the directory, so that it can be moved into its place in one step. */
function writeDraft(directory: string, files: Files): string {
  try {
    mkdirSync(dirname(directory), { recursive: true, mode: 0o700 })
    const draft = mkdtempSync(join(dirname(directory), `.${basename(directory)}-`))
    for (const [name, text] of Object.entries(files)) {
      const mode = name.endsWith('.pem') ? 0o600 : 0o644
      writeFileSync(join(draft, name), text, { mode })
    }
    return draft
  } catch (cause) {
    throw unwritable(directory, cause)
  }
}

function unwritable(directory: string, cause: unknown): StartFault {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown'
  return new StartFault(
    `the TLS directory ${directory} cannot be made (${code})`,
    'name a directory that can be written with --set state_dir=DIRECTORY',
    cause,
  )
}
