import { WireError } from '../../../bytes/wire-error.ts'
import { type EkCheck, ekChecks } from '../../../evidence/ek-certificate/ek-checks.ts'
import { parseEkCertificate } from '../../../evidence/ek-certificate/parse-certificate.ts'
import { checkPath, type PathCheck, pathChecks } from '../../../pki/check-path.ts'
import { type PathCertificate, readPathCertificate } from '../../../pki/path-certificate.ts'
import { type CertificateRun, HONEST_CERTIFICATES, NOON, STORE, signAnew } from '../certificates.ts'
import { certificateMustNotPass, otherThanOpenssl } from '../models/ekcert-model.ts'
import { mutateBytes, swellBytes } from '../mutators/bytes.ts'
import { mutateDer } from '../mutators/der.ts'
import type { Random } from '../random.ts'
import { plain } from '../says.ts'
import type { Judgement, Target } from '../target.ts'

/** The checks of a certificate and of its path; mutants lack one of them. */
export interface CertificateChecks {
  readonly ek: readonly EkCheck[]
  readonly path: readonly PathCheck[]
}

const EK_CERTIFICATE = '2.23.133.8.1'
/** Certificates of which one in so many is read by OpenSSL too, which costs more than all else. */
const ONE_IN = 4

/** EK certificates beside a store of makers, some of whom sign whatever is put before them. */
export function ekcertTarget(
  checks: CertificateChecks = { ek: ekChecks, path: pathChecks },
): Target<CertificateRun> {
  return {
    name: 'ekcert',
    honest: HONEST_CERTIFICATES,
    mutate: mutateRun,
    judge: (run) => judge(run, checks),
  }
}

function mutateRun(run: CertificateRun, other: CertificateRun, random: Random): CertificateRun {
  const { bytes } = run
  if (random.once(200)) return { ...run, bytes: swellBytes(bytes, random) }
  if (random.once(5)) return { ...run, bytes: mutateBytes(bytes, random) }
  return { ...run, bytes: mutateDer(bytes, other.bytes, random) }
}

function judge({ bytes, signed }: CertificateRun, checks: CertificateChecks): Judgement {
  const early = attempt(bytes)
  if ('refused' in early) return early.refused
  const { read } = early
  const changed = bytes.length % ONE_IN === 0 ? otherThanOpenssl(read) : undefined
  const odd = changed === undefined ? {} : { changed }
  const ekProblem = checks.ek.map((check) => check.problem(read)).find(Boolean)
  if (ekProblem !== undefined) return { verdict: 'fail', says: [plain(ekProblem)], ...odd }
  const given = signed ? signAnew(bytes) : bytes
  const certificate = pathOf(given)
  if (certificate === undefined)
    return { verdict: 'refused', says: ['OpenSSL: cannot read it'], ...odd }
  const { path } = checks
  const problem = checkPath({
    certificate,
    store: STORE,
    now: NOON,
    usage: EK_CERTIFICATE,
    checks: path,
  })
  if (problem !== undefined) return { verdict: 'fail', says: [plain(problem)], ...odd }
  const mustNotPass = certificateMustNotPass(certificate, given, STORE)
  return { verdict: 'pass', says: [], ...odd, ...(mustNotPass !== undefined && { mustNotPass }) }
}

type Attempt =
  | { readonly read: ReturnType<typeof parseEkCertificate> }
  | { readonly refused: Judgement }

function attempt(bytes: Uint8Array): Attempt {
  try {
    return { read: parseEkCertificate(bytes) }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { refused: { verdict: 'refused', says: [`${error.name}: ${plain(error.message)}`] } }
  }
}

/** What our reader takes and OpenSSL does not is refused by both of them together; any other error is a crash. */
function pathOf(bytes: Uint8Array): PathCertificate | undefined {
  try {
    return readPathCertificate(bytes)
  } catch (error) {
    if (error instanceof WireError || String(Object(error).code).startsWith('ERR_OSSL'))
      return undefined
    throw error
  }
}
