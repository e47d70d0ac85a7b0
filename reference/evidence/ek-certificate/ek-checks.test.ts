import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { ekCertificateWith } from '../testing/ek-certificates.ts'
import { der, extension, hex, IDS, sequence, text } from '../testing/write-certificate.ts'
import { ekChecks } from './ek-checks.ts'
import { parseEkCertificate } from './parse-certificate.ts'

/** Problems by the id of the check that has them. */
function problemsOf(bytes: Uint8Array) {
  const read = parseEkCertificate(bytes)
  const problems = ekChecks.map((check) => [check.id, check.problem(read)] as const)
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined))
}

const spkiOf = (key: ReturnType<typeof generateKeyPairSync>['publicKey']) =>
  new Uint8Array(key.export({ format: 'der', type: 'spki' }))
const rsa = (modulusLength: number) =>
  spkiOf(generateKeyPairSync('rsa', { modulusLength }).publicKey)
const ec = (namedCurve: string) => spkiOf(generateKeyPairSync('ec', { namedCurve }).publicKey)

const maker = (id: string) => der(0x31, sequence(hex('060567810502 01'), text(0x0c, id)))
const makers = (...ids: readonly string[]) =>
  extension(IDS.alternativeName, sequence(der(0xa4, sequence(...ids.map(maker)))), true)

test.each<[string, Uint8Array]>([
  ['an ordinary one', ekCertificateWith()],
  ['that of the recorded TPM, RSA', recorded('ekcert_1c00002.der')],
  ['that of the recorded TPM, P-384', recorded('ekcert_1c00016.der')],
  [
    'one that may encrypt keys',
    ekCertificateWith({ instead: { keyUsage: extension(IDS.keyUsage, hex('03020520')) } }),
  ],
  [
    'one without a key usage',
    ekCertificateWith({ extensions: [extension(IDS.constraints, sequence())] }),
  ],
  ['one for an RSA key of 3072 bits', ekCertificateWith({ spki: rsa(3072) })],
  ['one that names its maker', ekCertificateWith({ besides: [makers('id:53544D20')] })],
  [
    'one that names its maker twice',
    ekCertificateWith({ besides: [makers('id:53544D20', 'id:53544D20')] }),
  ],
])('of EK certificates %s has no problem', (_, bytes) => {
  expect(problemsOf(bytes)).toEqual({})
})

test.each<[string, Uint8Array, string, RegExp]>([
  [
    'of version 1',
    ekCertificateWith({ version: new Uint8Array(), extensions: [] }),
    'version',
    /is of version 1/,
  ],
  [
    'of an authority',
    ekCertificateWith({
      instead: { constraints: extension(IDS.constraints, sequence(hex('0101ff'))) },
    }),
    'end',
    /is one of an authority/,
  ],
  [
    'for a key that signs',
    ekCertificateWith({ instead: { keyUsage: extension(IDS.keyUsage, hex('03020780')) } }),
    'key-usage',
    /neither encrypt keys nor agree/,
  ],
  [
    'for a key that signs certificates too',
    ekCertificateWith({ instead: { keyUsage: extension(IDS.keyUsage, hex('0302020c')) } }),
    'signing',
    /may sign certificates/,
  ],
  [
    'for an RSA key of 1024 bits',
    ekCertificateWith({ spki: rsa(1024) }),
    'key',
    /RSA key of 1024 bits/,
  ],
  [
    'for a key on another curve',
    ekCertificateWith({ spki: ec('secp256k1') }),
    'key',
    /ec secp256k1$/,
  ],
  [
    'for a key that signs only',
    ekCertificateWith({ spki: spkiOf(generateKeyPairSync('ed25519').publicKey) }),
    'key',
    /: ed25519$/,
  ],
  [
    'for an invalid key',
    ekCertificateWith({ spki: sequence(sequence(hex('06092a864886f70d010101')), hex('030100')) }),
    'key',
    /cannot be loaded/,
  ],
  [
    'over SHA-1',
    ekCertificateWith({ signature: hex('300906072a8648ce3d0401') }),
    'hash',
    /is signed over SHA-1/,
  ],
  [
    'that names two makers',
    ekCertificateWith({ besides: [makers('id:53544D20', 'id:49465800')] }),
    'names',
    /names the manufacturer of its TPM in 2 ways/,
  ],
])('a certificate %s is not one of an endorsement key', (_, bytes, id, problem) => {
  expect(problemsOf(bytes)).toEqual({ [`ekcert.${id}`]: expect.stringMatching(problem) })
})
