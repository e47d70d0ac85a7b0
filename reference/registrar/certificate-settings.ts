import type { RegistrarConfig } from '../config/config.ts'
import { StartFault } from '../errors.ts'
import { loadCertificateStore } from '../pki/certificate-store.ts'
import type { CertificateSettings } from './check-certificate.ts'

type Given = Pick<
  RegistrarConfig,
  'tpm_cert_store' | 'require_ek_cert' | 'malformed_cert_action' | 'tpm_identity'
>

/** Reads the certificate settings. @throws {StartFault} if a requirement could not be checked */
export function loadCertificateSettings(config: Given): CertificateSettings {
  const { tpm_cert_store: places } = config
  const store = places === '' ? undefined : loadCertificateStore('tpm_cert_store', places)
  if (store === undefined && config.tpm_identity === 'iak_idevid')
    throw new StartFault(
      'tpm_identity is iak_idevid, and there is no tpm_cert_store to verify an IAK with',
      'name the certificates of its makers with --set tpm_cert_store=DIRECTORY',
    )
  return {
    store,
    requireEkCertificate: config.require_ek_cert,
    malformed: config.malformed_cert_action,
    identity: config.tpm_identity,
  }
}
