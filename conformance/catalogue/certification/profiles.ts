import { join } from 'node:path'
import { SetupFault } from '../../input/fault.ts'
import { nearest } from '../../input/nearest.ts'
import { packageRoot } from '../../input/package-root.ts'
import { readYaml } from '../../input/read-yaml.ts'
import type { Role } from '../../report/result.ts'

/** A row of the catalogue that a profile leaves out. */
interface LeftOut {
  readonly row: string
  readonly why: string
}

/** What a certificate is about, see `certification.yaml`. */
export interface CertificateProfile {
  readonly name: string
  /** The certified component, in words. */
  readonly subject: string
  readonly roles: readonly Role[]
  readonly optional_roles?: readonly Role[]
  readonly versions: { readonly since: string; readonly until?: string }
  readonly components: readonly string[]
  readonly capabilities: readonly string[]
  readonly except?: readonly LeftOut[]
}

interface CertificationFile {
  readonly profiles: readonly CertificateProfile[]
}

export function certificateProfiles(): readonly CertificateProfile[] {
  const file = join(packageRoot(), 'conformance', 'catalogue', 'certification.yaml')
  return (readYaml(file) as CertificationFile).profiles
}

/** The profile of that name. Throws a {@link SetupFault} with the known names if there is none. */
export function loadCertificateProfile(name: string): CertificateProfile {
  const profiles = certificateProfiles()
  const found = profiles.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = profiles.map((one) => one.name)
  const guess = nearest(name, names)
  throw new SetupFault(`there is no certificate profile ${JSON.stringify(name)}`, {
    next: guess === undefined ? `give one of ${names.join(', ')}` : `--profile ${guess}`,
  })
}
