import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type CertificateDefect,
  certificateWithDefect,
} from '../../../conformance/client/agents/ek-certificates.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { RegistrarClient } from '../../../conformance/client/registrar-client.ts'
import { DIALECTS } from '../../../conformance/dialects/dialect.ts'
import { softEndorsementKey } from '../../../simulator/machine/soft-endorsement-key.ts'
import { createManufacturer } from '../../../simulator/swtpm/manufacturer.ts'
import { WRAPPINGS } from '../../../simulator/vectors/registration/ek-certificate.ts'
import { applyAt, mutationSteps } from '../encode.ts'
import { EKCERT_MUTATIONS } from '../mutations/ekcert.ts'
import { certificateWay } from '../routes/certificate-way.ts'
import type { FuzzSession } from '../session.ts'
import type { Mutation } from '../stages.ts'

const DRAWS = Array.from({ length: 6 }, (_, at) => `draw ${at}`)
const manufacturer = await createManufacturer({ now: new Date() })

/** The way at a registrar that judges who made a TPM, or at one that does not. */
function wayOf(capabilities: readonly string[]) {
  const session = {
    environment: { capabilities, factory: { manufacturer } },
  } as unknown as FuzzSession
  return certificateWay(session, { dialect: DIALECTS.document } as RegistrarClient)
}

const judging = await wayOf(['ek_store'])
const ek = await softEndorsementKey('registers with a fuzzer', manufacturer)

async function saidOf(mutation: string, draw: string, way = judging) {
  const steps = mutationSteps([{ mutation, draw }], EKCERT_MUTATIONS)
  return idsOf(applyAt('members', await way.members(steps), steps), way)
}

function idsOf(members: object, way = judging): readonly string[] {
  return way.says({ ...members }).map(({ id }) => id)
}

const ofCertificates = ({ stage }: Mutation) => stage === 'certificate' || stage === 'ekcert'
const BREAKING = EKCERT_MUTATIONS.filter(ofCertificates).flatMap(({ id, breaks }) =>
  breaks === undefined ? [] : [[id, breaks] as const],
)

test('the honest certificate says nothing that it must not', async () => {
  expect(idsOf(await judging.members([]))).toEqual([])
})

test.each(BREAKING)(
  '%s is seen to break what it says it breaks, and nothing else: %s',
  async (id, breaks) => {
    for (const draw of DRAWS) expect(await saidOf(id, draw)).toEqual([breaks])
  },
)

test('of a registrar that does not judge who makes TPMs only the key is asked', async () => {
  const way = await wayOf([])
  const said = await Promise.all(BREAKING.map(([id]) => saidOf(id, 'draw', way)))
  expect(said.filter((ids) => ids.length > 0)).toEqual([['ekcert-key']])
})

/** Of these the profile and the path have two readings, and the form is one of a maker's. */
const HONEST: readonly CertificateDefect[] = [
  'authority',
  'other-use',
  'unknown-critical',
  'two-makers',
]

test.each(HONEST)(
  'a certificate with the defect %s is not called a contradiction',
  async (defect) => {
    const ekcert = base64(await certificateWithDefect({ ek }, defect, manufacturer))
    expect(idsOf({ ekcert })).toEqual([])
  },
)

test.each(Object.entries(WRAPPINGS))(
  'neither is one that comes out of a TPM with %s',
  (_, wrap) => {
    expect(idsOf({ ekcert: base64(wrap(ek.certificate)) })).toEqual([])
  },
)

test.each<[CertificateDefect, string]>([
  ['another-maker', 'ekcert-maker'],
  ['impostor', 'ekcert-maker'],
  ['expired', 'ekcert-time'],
  ['not-yet-valid', 'ekcert-time'],
  ['other-key', 'ekcert-key'],
  ['cut', 'ekcert-form'],
])('a certificate with the defect %s is: %s', async (defect, id) => {
  const ekcert = base64(await certificateWithDefect({ ek }, defect, manufacturer))
  expect(idsOf({ ekcert })).toEqual([id])
})

test('a certificate that its maker signs anew is the same in all but its signature', async () => {
  const [one, other] = [ek.certificate, await manufacturer.signAnew(ek.certificate)]
  expect(base64(other)).not.toBe(base64(one))
  const maker = new X509Certificate(manufacturer.certificatePem).publicKey
  expect(new X509Certificate(other).verify(maker)).toBe(true)
  expect(new X509Certificate(other).serialNumber).toBe(new X509Certificate(one).serialNumber)
})
