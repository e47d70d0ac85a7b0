import { X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainName } from '../../../bytes/plain-name.ts'
import { type ZipEntry, zipOf } from '../../../bytes/zip.ts'
import { CLIENT_AUTH } from '../../../pki/authority.ts'
import { NAMES } from '../../../pki/tls-names.ts'
import type { TenantOptions } from '../../options.ts'
import { loadFile } from '../../policies/load-policy.ts'
import type { TenantSession } from '../../session.ts'
import { TenantFault } from '../../tenant-fault.ts'
import { NOTIFIER_CERTIFICATE, openPackageAuthority } from './package-authority.ts'

/** What `--cert` makes for an agent, and what the verifier gets of it. */
interface CertificatePackage {
  /** A zip archive, which an agent unpacks, and of which it runs the file that its `payload_script` names. */
  readonly payload: Uint8Array
  /** PEM: signs the agent's notices of revocation. */
  readonly revocationKey: string
  /** JSON text of `cert_serial`, in hexadecimal, and `subject` (interface document, "Add-agent request"). */
  readonly metadata: string
}

/** Options whose payload a package would replace, or that make it useless. */
const OTHERS = [
  ['file', '--file FILE', 'include the file: --include DIR'],
  ['key', '--key FILE', 'give the one payload or the other'],
  ['payload', '--payload FILE', 'give the one payload or the other'],
  ['pushModel', '--push-model', 'leave --cert out: a push agent takes no payload'],
] as const

/**
 * The package of an agent, by `--cert` and `--include`: a client certificate of the CA, its key, the CA, the certificate
 * that verifies notices, and the files of a directory. The certificate is kept nowhere else: adding the agent again
 * gives it another.
 *
 * @throws {StartFault} of an option, or of a directory that one names
 */
export async function makeCertificatePackage(
  options: TenantOptions,
  agentId: string,
  { parts, files }: Pick<TenantSession, 'parts' | 'files'>,
): Promise<CertificatePackage | undefined> {
  const { cert: directory, include } = options
  if (directory === undefined) return include === undefined ? undefined : refuseIncludeAlone()
  const other = OTHERS.find(([option]) => options[option] !== undefined)
  if (other !== undefined) throw usage(`--cert DIR and ${other[1]} are given`, other[2])
  const names = packageNames(agentId)
  const included = include === undefined ? [] : readIncluded(include, Object.values(names))
  return packageOf({ directory, included }, agentId, { parts, files })
}

interface PackageRequest {
  /** The directory of the CA, which is created if missing. */
  readonly directory: string
  /** Passphrase of the CA's keys; absent: they have none. */
  readonly passphrase?: string
  readonly included: readonly ZipEntry[]
}

/** The package of an agent. @throws {StartFault} the CA cannot be used */
export async function packageOf(
  { directory, passphrase, included }: PackageRequest,
  agentId: string,
  { parts, files }: Pick<TenantSession, 'parts' | 'files'>,
): Promise<CertificatePackage> {
  const names = packageNames(agentId)
  const administrator = files.identity.certificate
  const now = parts.clock.now()
  const { authority, notifier } = await openPackageAuthority({
    ...{ directory, administrator, now },
    ...(passphrase !== undefined && { passphrase }),
  })
  const made = await authority.issue({ commonName: agentId, usage: CLIENT_AUTH })
  const own = [
    { name: names.ca, content: authority.certificate },
    { name: names.certificate, content: made.certificate },
    { name: names.key, content: made.key, mode: 0o100600 },
    { name: names.notifier, content: notifier.certificate },
  ]
  const { serialNumber: cert_serial, subject } = new X509Certificate(made.certificate)
  return {
    payload: zipOf([...own, ...included]),
    revocationKey: notifier.key,
    metadata: JSON.stringify({ cert_serial, subject }),
  }
}

/** Names of the files that every package of the agent has. */
export function packageNames(agentId: string) {
  return {
    ca: NAMES.ca,
    certificate: `${agentId}-cert.crt`,
    key: `${agentId}-private.pem`,
    notifier: NOTIFIER_CERTIFICATE,
  }
}

/** The number of files that our agent unpacks. */
const MOST_FILES = 1000

function readIncluded(directory: string, taken: readonly string[]): readonly ZipEntry[] {
  const entries = entriesOf(directory)
  if (entries.length + taken.length > MOST_FILES)
    throw usage(
      `${directory} has ${entries.length} files, and ${MOST_FILES - taken.length} can be included`,
      'pack them into an archive, and include that',
    )
  return entries.map((entry) => {
    const path = join(directory, entry.name)
    if (taken.includes(entry.name))
      throw usage(`${entry.name} is in every package, and cannot be included`, `rename ${path}`)
    if (!isPlainName(entry.name))
      throw usage(
        `${JSON.stringify(entry.name)} is no name that agents take in a package`,
        `rename it in ${directory}: letters, digits, blanks and . _ - + @ = , are taken`,
      )
    if (entry.isFile()) return { name: entry.name, content: loadFile('--include DIR', path) }
    throw usage(
      `--include takes the files of a directory, and ${path} is not a file`,
      'name a directory of files; one file may be an archive of others',
    )
  })
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    throw usage(
      `${directory}: it cannot be read as a directory (${code})`,
      'give --include DIR',
      cause,
    )
  }
}

function refuseIncludeAlone(): never {
  throw usage(
    '--include DIR is given without a package',
    'name the directory of its CA with --cert DIR',
  )
}

function usage(sentence: string, next: string, cause?: unknown): TenantFault {
  return new TenantFault('usage', sentence, next, cause)
}
