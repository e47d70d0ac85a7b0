import { keyringOf, makeFileSigner } from '../../../../simulator/ima/file-signer.ts'
import { imaEntry } from '../../../../simulator/ima/make-entry.ts'
import { derSignature, p256Spki, pointOf, signEcdsa } from '../../../../simulator/soft/ecdsa.ts'
import { scalarOf } from '../../../../simulator/soft/keys.ts'
import { digest } from '../../../../simulator/tpm/hash.ts'
import { cat, text, u8 } from '../../../../simulator/tpm/write.ts'
import type { EvidenceForm } from '../evidence-forms.ts'
import { FILES, measured } from './list-evidence.ts'
import type { NearMiss } from './near-miss.ts'

const PATH = '/opt/one'

/** Types of `security.ima` (enum evm_ima_xattr_type of the kernel): signatures of files, and of fs-verity digests. */
const [DIGSIG, VERITY_DIGSIG] = [3, 6]
const HASH_ALGO_SHA256 = 4

/** Returns a signer that always signs the same content alike, with version 2. */
export function signerOfFiles() {
  const scalar = scalarOf('signer of versions')
  return makeFileSigner({
    publicDer: p256Spki(pointOf(scalar)),
    sign: (content) => derSignature(signEcdsa(scalar, content)),
  })
}

interface Version {
  readonly template: string
  readonly type?: number
  /** Default: the kind that a signature of this type is over. */
  readonly digestType?: 'ima' | 'verity'
  /** What the signature is over; default: the content of the file, and so its bare digest. */
  readonly over?: Uint8Array
  readonly version?: number
  readonly forms?: readonly EvidenceForm[]
  readonly breaks?: string
}

/** A file that the policy does not list, with the signature of a trusted key. */
function signed(
  sends: string,
  {
    template,
    type = DIGSIG,
    digestType = type === VERITY_DIGSIG ? 'verity' : 'ima',
    over = text(PATH),
    version = 2,
    forms = [],
    ...rest
  }: Version,
): NearMiss {
  return {
    sends,
    forms: ['signing-keys', ...forms],
    ...rest,
    evidence: () => {
      const signer = signerOfFiles()
      const entry = imaEntry(template, {
        path: PATH,
        digest: digest('sha256', text(PATH)),
        digestType,
        signature: cat(u8(type), u8(version), signer.sign(over).subarray(2)),
      })
      return measured([...FILES, entry], {
        listed: FILES,
        policy: { 'verification-keys': keyringOf([signer]) },
      })
    },
  }
}

const BREAKS = { breaks: 'VER-EVIDENCE-IMA-SIGNATURE' }
const BAD = { version: 3, ...BREAKS }
/** A signature over an fs-verity digest: its type, the number of SHA-256 and the digest (ima_file_id of the kernel). */
const VERITY: Version = {
  ...{ template: 'ima-sigv2', forms: ['rare-template'], type: VERITY_DIGSIG, version: 3 },
  over: cat(u8(VERITY_DIGSIG), u8(HASH_ALGO_SHA256), digest('sha256', text(PATH))),
}

/**
 * A signature of version 2 covers the digest alone. One of version 3 covers its kind too (ima_file_id of the kernel),
 * so that the digest of a file and that of an fs-verity tree do not stand for each other.
 */
export const SIGNATURE_VERSIONS: readonly NearMiss[] = [
  signed('a file with a signature of version 2', { template: 'ima-sig' }),
  signed('the same signature as one of version 3', { template: 'ima-sig', ...BAD }),
  signed('the same signature as one of version 3, of an fs-verity digest', {
    template: 'ima-sigv2',
    type: VERITY_DIGSIG,
    forms: ['rare-template'],
    ...BAD,
  }),
  signed('a signature of version 2 in the template ima-sigv2', {
    ...{ template: 'ima-sigv2', forms: ['rare-template'] },
  }),
  signed('a signed fs-verity digest', VERITY),
  signed('the same signature with the digest of a file', {
    ...{ ...VERITY, digestType: 'ima' },
    ...BREAKS,
  }),
  signed('a signature of version 2 over an fs-verity digest', {
    ...{ ...VERITY, version: 2, over: text(PATH) },
    ...BREAKS,
  }),
  signed('a signature of a file with an fs-verity digest', {
    ...{ template: 'ima-sigv2', forms: ['rare-template'], digestType: 'verity' },
    ...BREAKS,
  }),
  // The numbers of an HMAC of EVM, and of a digest without signature.
  ...[2, 4].map((type) =>
    signed(`a signature of a file under the type ${type}`, {
      template: 'ima-sig',
      type,
      ...BREAKS,
    }),
  ),
  ...[1, 4].map((version) =>
    signed(`a signature of the form of version 3 as one of version ${version}`, {
      ...{ template: 'ima-sig', version },
      over: cat(u8(DIGSIG), u8(HASH_ALGO_SHA256), digest('sha256', text(PATH))),
      ...BREAKS,
    }),
  ),
]
