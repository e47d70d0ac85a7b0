import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Finding } from '../preflight/finding.ts'
import { freePorts } from '../target/processes/free-port.ts'
import { makeCa } from '../target/testing/test-support.ts'
import { type Clinic, type ClinicOptions, makeClinic } from './testing/test-clinic.ts'

interface Wrong {
  readonly what: string
  readonly code: string
  readonly says: RegExp
  readonly next: RegExp
  /** What is wrong with the deployment. */
  readonly clinic?: ClinicOptions
  /** What is wrong with the target file. */
  readonly change?: (clinic: Clinic) => string | Promise<string>
}

/** Each differs in one place from the deployment and the target file of the first test, which are in order. */
const WRONG: readonly Wrong[] = [
  {
    what: 'an unknown key',
    code: 'D-TARGET-KEY',
    says: /^\S+:2:1: verions is not a known key; did you mean versions\?$/,
    next: /^every key is described in target\.schema\.json$/,
    change: ({ text }) => text.replace('versions:', 'verions:'),
  },
  {
    what: 'a dead port',
    code: 'D-TLS-UNREACHABLE',
    says: /^nothing listens at https:\/\/127\.0\.0\.1:\d+$/,
    next: /^start the deployment, or add roles\.registrar\.start to \S+$/,
    change: async ({ text, urls }) => {
      const [port = 0] = await freePorts(1)
      return text.replace(urls.registrar, `https://127.0.0.1:${port}`)
    },
  },
  {
    what: 'the CA of somebody else',
    code: 'D-TLS-CA',
    says: /^verifier at \S+ shows a certificate that the CA of the target file did not issue$/,
    next: /^point tls\.ca at the CA that issued it$/,
    change: async ({ text, directory }) => {
      await makeCa(join(directory, 'other'), 'Other CA')
      return text.replace('pki/ca.crt', 'other/ca.crt')
    },
  },
  {
    what: 'an administrator without clientAuth',
    code: 'D-CERT-EKU',
    says: /^the administrator's certificate \S+ is not for clients: its extended key usage lacks clientAuth$/,
    next: /^correct tls\.admin\.certificate, or the file$/,
    change: async ({ text, ca }) => {
      await ca.issue('server-only', { usages: ['serverAuth'] })
      return text.replaceAll('pki/admin', 'pki/server-only')
    },
  },
  {
    what: 'an expired administrator',
    code: 'D-CERT-EXPIRED',
    says: /^the administrator's certificate \S+ expired on .* GMT$/,
    next: /^correct tls\.admin\.certificate, or the file$/,
    change: async ({ text, ca }) => {
      await ca.issue('old', { usages: ['clientAuth'], from: -3, to: -2 })
      return text.replaceAll('pki/admin', 'pki/old')
    },
  },
  {
    what: 'exchanged urls',
    code: 'D-URLS-SWAPPED',
    says: /^\S+ answers like a verifier, and \S+ like a registrar$/,
    next: /^exchange roles\.registrar\.url and roles\.verifier\.url in \S+$/,
    change: ({ text, urls }) =>
      text
        .replace(urls.verifier, 'VERIFIER')
        .replace(urls.registrar, urls.verifier)
        .replace('VERIFIER', urls.registrar),
  },
  {
    what: 'a version that nobody advertises',
    code: 'D-VERSION',
    says: /^verifier does not advertise version 2\.4; it lists 2\.5, 3\.0$/,
    next: /^correct versions in \S+, or turn them on in the verifier$/,
    change: ({ text }) => text.replace("'2.5'", "'2.4'"),
  },
  {
    what: 'a clock two minutes behind',
    code: 'D-CLOCK-SKEW',
    says: /^the clock of verifier is 1(19|20)(\.\d)? s behind the clock here$/,
    next: /^set both clocks by the same source of time$/,
    clinic: { verifier: { skew: -120 } },
  },
  {
    what: 'EK certificates that the registrar does not trust',
    code: 'D-EK-TRUST',
    says: /^the registrar answers 400 to a virtual TPM with its EK certificate, and takes the same TPM without one$/,
    next: /^let the registrar trust \$\{ek_ca\}, by ek_trust: \{ install: \[\.\.\.\] \} in \S+$/,
    clinic: { refuses: (body) => 'ekcert' in body },
  },
  {
    what: 'a claimed capability without its hook',
    code: 'D-HOOK-MISSING',
    says: /^\S+ claims movable_clock, which is judged by the hook advance_clock, and has no such hook$/,
    next: /^add hooks\.advance_clock to \S+, or take movable_clock out of its capabilities$/,
    change: ({ text }) => text.replace('[restartable]', '[restartable, movable_clock]'),
  },
  {
    what: "a key of another administrator's certificate",
    code: 'D-CERT-KEY',
    says: /^the administrator's key \S+ does not belong to the certificate \S+$/,
    next: /^correct tls\.admin\.key, or the file$/,
    change: async ({ text, ca }) => {
      await ca.issue('somebody', { usages: ['clientAuth'] })
      return text.replace('pki/admin.pem', 'pki/somebody.pem')
    },
  },
  {
    what: 'a server certificate for another name',
    code: 'D-TLS-NAME',
    says: /^verifier at \S+ shows a certificate for another name \(.*127\.0\.0\.9\)$/,
    next: /^write one of those names in the url, or issue it for the name in the url$/,
    clinic: { verifier: { certificate: { ip: '127.0.0.9' } } },
  },
]

const shown: Finding[] = []

/** `ASSAY_SHOW=1 npx vitest run conformance/doctor/wrong-targets.test.ts` prints what people read. */
afterAll(() => {
  if (process.env.ASSAY_SHOW === undefined) return
  const lines = shown.map(({ code, detail, next }) => `${code}\n  ${detail}\n  next: ${next}`)
  process.stdout.write(`\n${lines.join('\n')}\n`)
})

test('a target file that is right in everything is in order', async () => {
  const clinic = await makeClinic()
  const { code, report } = await clinic.visit(clinic.text)
  expect(report.findings.filter(({ ok }) => !ok)).toEqual([])
  expect({ code, ok: report.ok, left: report.not_made }).toEqual({ code: 0, ok: true, left: [] })
})

test.each(WRONG)(
  '$what is refused by its own code',
  async ({ change, clinic: more, ...expected }) => {
    const clinic = await makeClinic(more)
    const { code, report } = await clinic.visit((await change?.(clinic)) ?? clinic.text)
    const [fault, ...others] = report.findings.filter(({ severity }) => severity === 'fault')
    if (fault !== undefined)
      shown.push({
        ...fault,
        detail: fault.detail.replaceAll(`${clinic.directory}/`, ''),
        next: (fault.next ?? '').replaceAll(`${clinic.directory}/`, ''),
      })
    expect({ code, faults: [fault?.code, ...others.map((other) => other.code)] }).toEqual({
      code: 2,
      // One mistake may be met at both roles.
      faults: [expected.code, ...others.map(() => expected.code)],
    })
    expect(fault?.detail).toMatch(expected.says)
    expect(fault?.next).toMatch(expected.next)
  },
)

test('no two of these mistakes share a code', () => {
  expect(new Set(WRONG.map(({ code }) => code)).size).toBe(WRONG.length)
})
