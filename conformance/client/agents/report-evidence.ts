import type { Guest, SnpEvidence } from '../../../simulator/sev-snp/snp-evidence.ts'
import { base64 } from '../bytes.ts'

/** Body of verify/evidence with a SEV-SNP report, in upstream's form; `snp-vcek` is the certificate of the signing key. */
export interface ReportRequest {
  readonly type: string
  readonly data: {
    readonly nonce: string
    readonly 'tee-pubkey-x-b64': string
    readonly 'tee-pubkey-y-b64': string
    readonly 'tee-evidence': {
      readonly tee: string
      readonly evidence: Readonly<Record<string, unknown>>
    }
  }
}

/** The request for evidence of a guest. */
export function reportRequest(guest: Guest, { report, vcek }: SnpEvidence): ReportRequest {
  const coordinate = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  return {
    type: 'tee',
    data: {
      nonce: base64(guest.nonce),
      'tee-pubkey-x-b64': coordinate(guest.x),
      'tee-pubkey-y-b64': coordinate(guest.y),
      'tee-evidence': {
        tee: 'snp',
        evidence: { 'snp-report': base64(report), 'snp-vcek': base64(vcek) },
      },
    },
  }
}
