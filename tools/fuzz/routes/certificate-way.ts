import { X509Certificate } from 'node:crypto'
import { results } from '../../../conformance/attempt/reply.ts'
import { openableBlob } from '../../../conformance/client/agents/credential-blob.ts'
import { registrationOf } from '../../../conformance/client/agents/registration.ts'
import { base64, unbase64 } from '../../../conformance/client/bytes.ts'
import type { RegistrarClient } from '../../../conformance/client/registrar-client.ts'
import type { SoftEndorsementKey } from '../../../simulator/machine/soft-endorsement-key.ts'
import { nameOf, parseTpm2bPublic, writePublic } from '../../../simulator/tpm/public.ts'
import { filled, tpm2b } from '../../../simulator/tpm/write.ts'
import { CertificateFault } from '../../../simulator/x509/read-certificate.ts'
import { baselineMachine } from '../baseline.ts'
import { applyAt, type MutationStep } from '../encode.ts'
import type { VerdictOf } from '../findings/answer.ts'
import { EKCERT_MUTATIONS } from '../mutations/ekcert.ts'
import { contradictionsOfEkCertificate, type KnownMaker } from '../oracle/ekcert.ts'
import type { FuzzSession } from '../session.ts'
import type { Members } from '../stages.ts'
import { endorsement, type RegistrationWay } from './registration-way.ts'

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Only a registrar that has a store claims to know who makes TPMs. */
function makersOf({ environment }: FuzzSession): KnownMaker['makers'] {
  if (!environment.capabilities.includes('ek_store')) return undefined
  const texts = environment.factory.manufacturer.certificatePem.match(PEM) ?? []
  return texts.map((text) => new X509Certificate(text).publicKey)
}

function modulusOf({ public: area }: SoftEndorsementKey): Uint8Array {
  const key = parseTpm2bPublic(area)
  return 'unique' in key && key.unique instanceof Uint8Array ? key.unique : filled(0)
}

/** An agent that cannot open the challenge is not registered, although the request was answered. */
function opens(ek: SoftEndorsementKey, name: Uint8Array, dialect: RegistrarClient['dialect']) {
  const verdict: VerdictOf = (reply) => {
    const blob = results(reply, 'blob')
    if (typeof blob !== 'string') return undefined
    try {
      return ek.open(openableBlob(unbase64(blob), dialect), name).length > 0
    } catch {
      return false
    }
  }
  return verdict
}

/**
 * The EK certificate mutated before its maker signs it, or after. A registration counts as taken when its challenge opens for the
 * EK that was sent beside the certificate, or that the honest one certifies.
 */
export async function certificateWay(
  session: FuzzSession,
  { dialect }: RegistrarClient,
): Promise<RegistrationWay> {
  const ek = await endorsement(session)
  const ak = tpm2b(writePublic(baselineMachine().shown))
  const honest = registrationOf({ ek, ak: { public: ak } }, dialect)
  const known = { modulus: modulusOf(ek), makers: makersOf(session) }
  const shown = async (steps: readonly MutationStep[]): Promise<Members> => {
    if (!steps.some(({ mutation }) => mutation.stage === 'certificate'))
      return { ekcert: base64(applyAt('ekcert', ek.certificate, steps)) }
    const signed = await signedAnew(session, applyAt('certificate', ek.certificate, steps))
    // The certificate of another TPM helps an attacker whose own EK is accepted with it.
    return { ek_tpm: base64(ek.public), ekcert: base64(applyAt('ekcert', signed, steps)) }
  }
  return {
    mutations: EKCERT_MUTATIONS,
    verdict: opens(ek, nameOf(ak), dialect),
    says: (members) => contradictionsOfEkCertificate(members, { ...known, today: Date.now() }),
    members: async (steps) =>
      steps.some(({ mutation }) => mutation.stage !== 'body')
        ? { ...honest, ...(await shown(steps)) }
        : honest,
  }
}

/** What is no certificate any more is shown without a signature. */
async function signedAnew(
  { environment }: FuzzSession,
  certificate: Uint8Array,
): Promise<Uint8Array> {
  try {
    return await environment.factory.manufacturer.signAnew(certificate)
  } catch (error) {
    if (error instanceof CertificateFault) return certificate
    throw error
  }
}
