import { loadCertificateStore } from '../../pki/certificate-store.ts'
import type { PathCertificate } from '../../pki/path-certificate.ts'

/** Makers of TPMs; undefined where the setting names none. @throws {StartFault} of a place that cannot be read */
export function loadStore(places: string): readonly PathCertificate[] | undefined {
  return places === '' ? undefined : loadCertificateStore(places)
}
