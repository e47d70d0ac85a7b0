import { X509Certificate } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Table from 'cli-table3'
import { afterAll, describe, expect, test } from 'vitest'
import { WireError } from '../bytes/wire-error.ts'
import { ekChecks } from './ek-certificate/ek-checks.ts'
import { type Certificate, parseEkCertificate } from './ek-certificate/parse-certificate.ts'
import { subjectPublicKey } from './ek-certificate/subject-key.ts'
import { absent, real, WHY_SKIPPED } from './testing/real-data.ts'

const ROOT = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const MAKERS = 'keylime/tpm_cert_store'
const PLATFORMS = 'go-attestation/attributecert/testdata'
const BOOT = 'own-boots/full-ovmf-imasig'
const BEGIN = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END/g

const filesIn = (folder: string, ending: RegExp) =>
  existsSync(ROOT + folder)
    ? readdirSync(ROOT + folder)
        .filter((name) => ending.test(name))
        .map((name) => `${folder}/${name}`)
    : []

const FILES = [
  ...filesIn(MAKERS, /\.pem$/),
  ...filesIn(PLATFORMS, /\.cer$/),
  ...filesIn(BOOT, /^(ekcert|swtpm-localca).*\.(der|pem)$/),
  ...filesIn('go-eventlog/wellknown/secure-boot', /\.crt$/),
  ...filesIn('keylime/test-data/files/idevid-test-ca', /chain\.pem$/),
  'azure-cvm-tooling/az-cvm-vtpm/test/certs.pem',
  'rust-keylime/keylime-agent/test-data/test-cert.pem',
  'rust-keylime/keylime/test-data/prime256v1.cert.pem',
]

interface RealCertificate {
  readonly name: string
  readonly bytes: Uint8Array
}

function certificatesOf(file: string): readonly RealCertificate[] {
  const bytes = real(file)
  const found = [...Buffer.from(bytes).toString('latin1').matchAll(BEGIN)]
  const name = file.split('/').slice(-1).join()
  if (found.length === 0) return [{ name, bytes }]
  return found.map(([, text = ''], at) => {
    const number = found.length > 1 ? ` ${at + 1}` : ''
    return { name: name + number, bytes: new Uint8Array(Buffer.from(text, 'base64')) }
  })
}

const CERTIFICATES = absent ? [] : FILES.flatMap(certificatesOf)
const isPlatform = ({ name }: RealCertificate) => /^(Intel_|lenovo|plat_)/.test(name)
const KEYED = CERTIFICATES.filter((each) => !isPlatform(each))

type Outcome = { readonly read: Certificate } | { readonly refused: string }

function outcomeOf(bytes: Uint8Array): Outcome {
  try {
    return { read: parseEkCertificate(bytes) }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { refused: error.message }
  }
}

const rows: (readonly string[])[] = []
afterAll(() => {
  if (rows.length === 0) return
  const table = new Table({
    head: ['certificate', 'bytes', 'outcome', 'worked around', 'as an EK certificate'],
  })
  table.push(...rows.map((row) => [...row]))
  console.info(table.toString())
})

/** The result of the EK checks; most of these are no EK certificates. */
function verdictOn(certificate: Certificate): string {
  return ekChecks.map((check) => check.problem(certificate)).find(Boolean) ?? 'good'
}

describe(`real certificates${WHY_SKIPPED}`, () => {
  test.skipIf(absent)('all of them are there', () => {
    expect(CERTIFICATES.length).toBeGreaterThanOrEqual(76)
    expect(KEYED.length).toBeGreaterThanOrEqual(64)
  })

  test.skipIf(absent)('each is read, or refused in a sentence', () => {
    for (const { name, bytes } of CERTIFICATES) {
      const outcome = outcomeOf(bytes)
      const size = String(bytes.length)
      if ('refused' in outcome) rows.push([name, size, outcome.refused, '', ''])
      else {
        const { workarounds } = outcome.read
        const odd = workarounds.map(({ id, at }) => `${id} at byte ${at}`).join(', ')
        rows.push([name, size, 'read', odd, verdictOn(outcome.read)])
      }
    }
    expect(rows).toHaveLength(CERTIFICATES.length)
  })

  test.skipIf(absent)('one of a platform is refused by its name', () => {
    const platforms = CERTIFICATES.filter(isPlatform)
    expect(platforms).toHaveLength(12)
    for (const { name, bytes } of platforms)
      expect(outcomeOf(bytes), name).toEqual({
        refused: expect.stringContaining('is an attribute certificate'),
      })
  })

  test.skipIf(absent)('what is read is what OpenSSL reads', () => {
    for (const { name, bytes } of KEYED) {
      const outcome = outcomeOf(bytes)
      const theirs = new X509Certificate(bytes)
      if ('refused' in outcome) throw new Error(`${name}: ${outcome.refused}`)
      const { read } = outcome
      expect(read.notBefore, name).toBe(Date.parse(theirs.validFrom))
      expect(read.notAfter, name).toBe(Date.parse(theirs.validTo))
      expect(read.constraints?.ca ?? false, name).toBe(theirs.ca)
      expect(read.usages, name).toEqual(theirs.keyUsage)
      expect(subjectPublicKey(read.key).equals(theirs.publicKey), name).toBe(true)
    }
  })

  test.skipIf(absent)('what is not strict DER is of Nuvoton, and known', () => {
    const odd = KEYED.filter(({ bytes }) => JSON.stringify(outcomeOf(bytes)).includes('set-order'))
    expect(odd.map(({ name }) => name)).toEqual(
      ['NTC1', 'NTC2', 'NUVO_0100', 'NUVO_1110', 'NUVO_1111', 'NUVO_2110', 'NUVO_2111'].map(
        (name) => `${name}.pem`,
      ),
    )
  })

  test.skipIf(absent)('only the two of the recorded TPM are for endorsement keys', () => {
    const good = KEYED.filter(({ bytes }) => {
      const outcome = outcomeOf(bytes)
      return (
        'read' in outcome &&
        outcome.read.usages?.includes('2.23.133.8.1') &&
        verdictOn(outcome.read) === 'good'
      )
    })
    expect(good.map(({ name }) => name)).toEqual(['ekcert_1c00002.der', 'ekcert_1c00016.der'])
  })
})
