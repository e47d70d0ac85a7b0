import { hash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { packTar } from 'modern-tar'
import { StartFault } from '../errors.ts'
import { CLIENT_AUTH, type Credential, loadAuthority } from './authority.ts'
import { loadCertificateAuthority } from './tls-files.ts'
import { FIRST_ADMINISTRATOR, NAMES } from './tls-names.ts'

interface AdministratorRequest {
  /** The TLS directory whose CA issues. */
  readonly directory: string
  /** Common name of the new certificate. */
  readonly name: string
  /** File of the package; nothing may be there yet. */
  readonly package: string
  readonly days: number
  /** Milliseconds since 1970. */
  readonly now: number
}

interface Administrator {
  /** Folder of the package that the files are in. */
  readonly folder: string
  readonly files: readonly string[]
}

/** The upper bound of a common name (RFC 5280, appendix A.1). */
const LONGEST_NAME = 64

/**
 * Makes a client certificate of the CA for one more administrator and writes it, with its key and the
 * certificate of the CA, as a package under the document's file names (interface document, "Certificate
 * requirements": a unique client certificate per administrator). The certificate without its key stays
 * in the TLS directory, so that no name is given twice.
 *
 * @throws {StartFault} the name is invalid or in use, the CA cannot issue, or the package exists already
 */
export async function makeAdministrator(request: AdministratorRequest): Promise<Administrator> {
  const { directory, name, days, now } = request
  refuseName(name)
  const ca = loadCertificateAuthority(join(directory, NAMES.ca), join(directory, NAMES.caKey), now)
  const authority = await loadAuthority(ca, now)
  const credential = await authority.issue({ commonName: name, usage: CLIENT_AUTH, days })
  const { entries, ...made } = packageOf(request.package, ca.certificate, credential, now)
  writeNew(request.package, await packTar(entries), 0o600, PACKAGE_IS_THERE)
  try {
    const record = join(directory, recordOf(name))
    writeNew(record, credential.certificate, 0o644, nameIsTaken(name))
  } catch (error) {
    rmSync(request.package)
    throw error
  }
  return made
}

function refuseName(name: string): void {
  const next = `give a name of 1 to ${LONGEST_NAME} characters without control characters`
  if (name.trim() === '' || name !== name.trim() || [...name].length > LONGEST_NAME) {
    throw new StartFault(`an administrator cannot be called ${JSON.stringify(name)}`, next)
  }
  // Formatting characters too: they let one name look like another.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) {
    throw new StartFault(`the name ${JSON.stringify(name)} holds a control character`, next)
  }
  if (name === FIRST_ADMINISTRATOR) throw nameIsTaken(name)(NAMES.adminCertificate)
}

type WhenThere = (file: string) => StartFault

const PACKAGE_IS_THERE: WhenThere = (file) =>
  new StartFault(`${file} is there already`, 'name another file with --package')

function nameIsTaken(name: string): WhenThere {
  return (file) =>
    new StartFault(
      `there is an administrator called ${name} already: the certificate is ${file}`,
      'choose another name',
    )
}

function writeNew(
  file: string,
  data: string | Uint8Array,
  mode: number,
  whenThere: WhenThere,
): void {
  try {
    writeFileSync(file, data, { flag: 'wx', mode })
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') throw whenThere(file)
    throw new StartFault(`${file} cannot be written (${code})`, 'look at its directory', cause)
  }
}

/** File names have other rules than common names. */
function recordOf(name: string): string {
  return `admin-${hash('sha256', name.normalize('NFC')).slice(0, 16)}-cert.crt`
}

function packageOf(file: string, ca: string, { certificate, key }: Credential, now: number) {
  const folder = parse(file)
    .name.replaceAll(/[^\w.-]/g, '_')
    .slice(0, 60)
  const files = [
    { name: NAMES.ca, body: ca, mode: 0o644 },
    { name: NAMES.adminCertificate, body: certificate, mode: 0o644 },
    { name: NAMES.adminKey, body: key, mode: 0o600 },
  ]
  const entryOf = ({ name, body, mode }: (typeof files)[number]) => ({
    header: {
      name: `${folder}/${name}`,
      size: Buffer.byteLength(body),
      mode,
      mtime: new Date(now),
    },
    body,
  })
  return { folder, files: files.map(({ name }) => name), entries: files.map(entryOf) }
}
