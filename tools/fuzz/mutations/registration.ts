import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { TPMA_OBJECT } from '../../../simulator/tpm/constants.ts'
import { mutateBytes, oneOf } from '../mutate-bytes.ts'
import type { MachineModel, Members, Mutation, MutationAt } from '../stages.ts'
import { BODY_MUTATIONS } from './body.ts'
import { SIGNATURE_MUTATIONS } from './signature.ts'

type Head<S extends 'machine' | 'members'> = Pick<MutationAt<S>, 'id' | 'what' | 'breaks'>

function members(
  head: Head<'members'>,
  change: (members: Members, random: SeededRandom) => Members,
): Mutation {
  return { ...head, stage: 'members', change }
}

/** Turns bits of what the key says it may be used for. */
function attributes(head: Head<'machine'>, turned: readonly number[]): Mutation {
  const change = (machine: MachineModel, random: SeededRandom): MachineModel => {
    const objectAttributes = machine.shown.objectAttributes ^ oneOf(turned, random)
    return { ...machine, shown: { ...machine.shown, objectAttributes } }
  }
  return { ...head, stage: 'machine', change }
}

/** Bytes of a base64 member mutated. */
function bytesOf(head: Head<'members'>, name: string): Mutation {
  return members(head, (all, random) => {
    const bytes = new Uint8Array(Buffer.from(String(all[name]), 'base64'))
    return { ...all, [name]: Buffer.from(mutateBytes(bytes, random)).toString('base64') }
  })
}

const KEY_MUTATIONS = SIGNATURE_MUTATIONS.filter(({ id }) =>
  ['key.point', 'key.point-length', 'key.curve', 'key.size', 'key.leftover', 'key.bytes'].includes(
    id,
  ),
)

const NO_TEXTS: readonly unknown[] = [7, null, [], {}, true, '']
const CERTIFICATES: readonly unknown[] = [
  ...NO_TEXTS,
  'emulator',
  'AAAA',
  'MIIB',
  '-----BEGIN CERTIFICATE-----',
  'A'.repeat(60_000),
]
const PORTS: readonly unknown[] = ['0', '65536', '443 ', '-1', '1e3', 1.5, -1, 70_000, {}, '٣']
const ADDRESSES: readonly unknown[] = [
  '::1',
  'localhost',
  '',
  'x'.repeat(10_000),
  '1.2.3',
  '127.0.0.1\n',
  7,
  {},
  "';--",
]
const TLS: readonly unknown[] = [
  ...NO_TEXTS,
  'disabled',
  '-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----',
  '-----BEGIN PRIVATE KEY-----',
]

/** Mutations of a registration. */
export const REGISTRATION_MUTATIONS: readonly Mutation[] = [
  ...KEY_MUTATIONS,
  ...BODY_MUTATIONS.filter(({ id }) => id !== 'body.control'),
  attributes(
    {
      id: 'aik.attributes',
      what: 'registers a key that is no attestation key',
      breaks: 'key-attributes',
    },
    [TPMA_OBJECT.restricted, TPMA_OBJECT.fixedTPM, TPMA_OBJECT.decrypt, TPMA_OBJECT.sign],
  ),
  attributes({ id: 'aik.other-attributes', what: 'registers a key with other attributes' }, [
    TPMA_OBJECT.userWithAuth,
    TPMA_OBJECT.noDA,
    TPMA_OBJECT.stClear,
    TPMA_OBJECT.adminWithPolicy,
  ]),
  members(
    { id: 'aik.type', what: 'registers a key that is no text', breaks: 'request-form' },
    (all, random) => ({
      ...all,
      aik_tpm: oneOf(NO_TEXTS, random),
    }),
  ),
  members(
    { id: 'aik.missing', what: 'registers no key', breaks: 'request-form' },
    ({ aik_tpm: _, ...rest }) => rest,
  ),
  bytesOf({ id: 'ekcert.bytes', what: 'registers an EK certificate with mutated bytes' }, 'ekcert'),
  members({ id: 'ekcert.odd', what: 'registers an odd EK certificate' }, (all, random) => ({
    ...all,
    ekcert: oneOf(CERTIFICATES, random),
  })),
  members(
    { id: 'ekcert.padded', what: 'registers an EK certificate with zeros after it' },
    (all, random) => ({
      ...all,
      ekcert: Buffer.concat([
        Buffer.from(String(all.ekcert), 'base64'),
        Buffer.alloc(oneOf([1, 7, 1000], random)),
      ]).toString('base64'),
    }),
  ),
  members({ id: 'ek.odd', what: 'registers an odd EK' }, (all, random) => ({
    ...all,
    ek_tpm: oneOf([...NO_TEXTS, 'AAAA', all.aik_tpm, all.ekcert], random),
  })),
  members({ id: 'contact.port', what: 'registers an odd port' }, (all, random) => ({
    ...all,
    port: oneOf(PORTS, random),
  })),
  members({ id: 'contact.ip', what: 'registers an odd address' }, (all, random) => ({
    ...all,
    ip: oneOf(ADDRESSES, random),
  })),
  members(
    { id: 'contact.mtls', what: 'registers an odd certificate of its server' },
    (all, random) => ({
      ...all,
      mtls_cert: oneOf(TLS, random),
    }),
  ),
  members({ id: 'registration.extra', what: 'registers unknown members' }, (all, random) => ({
    ...all,
    [oneOf(['active', 'regcount', '__proto__', 'provider_keys', 'x'], random)]: oneOf(
      [1, true, {}, null],
      random,
    ),
  })),
]
