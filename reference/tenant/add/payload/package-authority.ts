import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Authority,
  type Credential,
  createAuthority,
  loadAuthority,
} from '../../../pki/authority.ts'
import { type CaFiles, ensureCaDirectory } from '../../../pki/ca-directory.ts'
import { loadCertificateAuthority, loadKeyPair } from '../../../pki/tls-files.ts'
import { NAMES } from '../../../pki/tls-names.ts'
import { TenantFault } from '../../tenant-fault.ts'

/** Whose signature agents take on a notice of revocation, by the name that agents have for its certificate. */
export const NOTIFIER_CERTIFICATE = 'RevocationNotifier-cert.crt'
const NOTIFIER_KEY = 'RevocationNotifier-private.pem'

/** A CA of agents, apart from that of the servers. */
interface PackageAuthority {
  readonly authority: Authority
  /** RSA, as notices are signed: the verifier gets the key, every agent of the CA the certificate. */
  readonly notifier: Credential
}

interface PackageAuthorityRequest {
  readonly directory: string
  /** The administrator's certificate, in PEM. */
  readonly administrator: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Encrypts the private keys in the directory; absent: they are not encrypted. */
  readonly passphrase?: string
}

/**
 * Opens the CA in a directory, which is created if missing.
 *
 * @throws {StartFault} it cannot be used, or its certificates would make administrators
 */
export async function openPackageAuthority(
  request: PackageAuthorityRequest,
): Promise<PackageAuthority> {
  const { directory, now, passphrase } = request
  await ensureCaDirectory({
    ...{ directory, called: 'directory', make: () => makeFiles(now, passphrase) },
    elsewhere: 'give --cert a directory that can be written',
  })
  const at = (name: string) => join(directory, name)
  const ca = loadCertificateAuthority(at(NAMES.ca), at(NAMES.caKey), now, passphrase)
  refuseAdministrators(request, ca)
  refuseWithoutNotifier(directory)
  const notifier = loadKeyPair(
    { certificate: at(NOTIFIER_CERTIFICATE), key: at(NOTIFIER_KEY) },
    now,
    passphrase,
  )
  return { authority: await loadAuthority(ca, now), notifier }
}

async function makeFiles(now: number, passphrase: string | undefined): Promise<CaFiles> {
  const authority = await createAuthority('Assay CA of agents', now)
  const notifier = await authority.issue({
    ...{ commonName: 'RevocationNotifier', usage: undefined, keys: 'RSA-2048' },
  })
  return {
    [NAMES.ca]: authority.certificate,
    [NAMES.caKey]: lockedKey(authority.key, passphrase),
    [NOTIFIER_CERTIFICATE]: notifier.certificate,
    [NOTIFIER_KEY]: lockedKey(notifier.key, passphrase),
  }
}

function lockedKey(pem: string, passphrase: string | undefined): string {
  if (passphrase === undefined) return pem
  const form = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const
  return createPrivateKey(pem).export(form).toString()
}

/** A package goes to a machine that may be taken over: it must not open the doors of the servers. */
function refuseAdministrators(
  { directory, administrator }: PackageAuthorityRequest,
  ca: Credential,
): void {
  if (!new X509Certificate(administrator).verify(new X509Certificate(ca.certificate).publicKey))
    return
  throw new TenantFault(
    'usage',
    `a certificate of the CA in ${directory} would make the agent an administrator`,
    'give --cert a directory of its own; it is created if missing',
  )
}

function refuseWithoutNotifier(directory: string): void {
  const missing = [NOTIFIER_CERTIFICATE, NOTIFIER_KEY].find(
    (name) => !existsSync(join(directory, name)),
  )
  if (missing === undefined) return
  throw new TenantFault(
    'usage',
    `the directory ${directory} has a CA but no ${missing}`,
    'put it back, or give --cert a directory that is not there yet',
  )
}
