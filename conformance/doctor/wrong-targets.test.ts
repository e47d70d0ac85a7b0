import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Finding } from '../preflight/finding.ts'
import { freePorts } from '../target/processes/free-port.ts'
import { makeCa } from '../target/testing/test-support.ts'
import { type Fixture, type FixtureOptions, makeFixture } from './testing/test-fixture.ts'

interface Wrong {
  readonly what: string
  readonly code: string
  readonly detail: RegExp
  readonly next: RegExp
  /** The defect of the deployment. */
  readonly fixture?: FixtureOptions
  /** The defect of the target file. */
  readonly change?: (fixture: Fixture) => string | Promise<string>
}

/** Each differs in one place from the deployment and the target file of the first test, which have no fault. */
const WRONG: readonly Wrong[] = [
  {
    what: 'an unknown key',
    code: 'D-TARGET-KEY',
    detail: /^\S+:2:1: verions is not a known key; did you mean versions\?$/,
    next: /^every key is described in \/\S+\/target\.schema\.json$/,
    change: ({ text }) => text.replace('versions:', 'verions:'),
  },
  {
    what: 'a dead port',
    code: 'D-TLS-UNREACHABLE',
    detail: /^nothing listens at https:\/\/127\.0\.0\.1:\d+$/,
    next: /^start the deployment, or add roles\.registrar\.start to \S+$/,
    change: async ({ text, urls }) => {
      const [port = 0] = await freePorts(1)
      return text.replace(urls.registrar, `https://127.0.0.1:${port}`)
    },
  },
  {
    what: 'the CA of another deployment',
    code: 'D-TLS-CA',
    detail: /^verifier at \S+ shows a certificate that the CA of the target file did not issue$/,
    next: /^point tls\.ca at the CA that issued it$/,
    change: async ({ text, directory }) => {
      await makeCa(join(directory, 'other'), 'Other CA')
      return text.replace('pki/ca.crt', 'other/ca.crt')
    },
  },
  {
    what: 'an administrator certificate without clientAuth',
    code: 'D-CERT-EKU',
    detail: /^the administrator's certificate \S+ lacks clientAuth in its extended key usage$/,
    next: /^correct tls\.admin\.certificate, or the file$/,
    change: async ({ text, ca }) => {
      await ca.issue('server-only', { usages: ['serverAuth'] })
      return text.replaceAll('pki/admin', 'pki/server-only')
    },
  },
  {
    what: 'an expired administrator certificate',
    code: 'D-CERT-EXPIRED',
    detail: /^the administrator's certificate \S+ expired on .* GMT$/,
    next: /^correct tls\.admin\.certificate, or the file$/,
    change: async ({ text, ca }) => {
      await ca.issue('old', { usages: ['clientAuth'], from: -3, to: -2 })
      return text.replaceAll('pki/admin', 'pki/old')
    },
  },
  {
    what: 'exchanged urls',
    code: 'D-URLS-SWAPPED',
    detail: /^\S+ answers like a verifier, and \S+ like a registrar$/,
    next: /^exchange roles\.registrar\.url and roles\.verifier\.url in \S+$/,
    change: ({ text, urls }) =>
      text
        .replace(urls.verifier, 'VERIFIER')
        .replace(urls.registrar, urls.verifier)
        .replace('VERIFIER', urls.registrar),
  },
  {
    what: 'a version that no role advertises',
    code: 'D-VERSION',
    detail: /^verifier does not advertise version 2\.4; it lists 2\.5, 3\.0$/,
    next: /^correct versions in \S+, or enable them in the verifier$/,
    change: ({ text }) => text.replace("'2.5'", "'2.4'"),
  },
  {
    what: 'a clock two minutes behind',
    code: 'D-CLOCK-SKEW',
    detail: /^the clock of verifier is 1(19|20)(\.\d)? s behind the local clock$/,
    next: /^synchronize both clocks$/,
    fixture: { verifier: { skew: -120 } },
  },
  {
    what: 'EK certificates that the registrar does not trust',
    code: 'D-EK-TRUST',
    detail:
      /^the registrar answers 400 to a virtual TPM with its EK certificate, and accepts the same TPM without one$/,
    next: /^let the registrar trust \$\{ek_ca\}, by ek_trust: \{ install: \[\.\.\.\] \} in \S+$/,
    fixture: { refuses: (body) => 'ekcert' in body },
  },
  {
    what: 'a claimed capability without its hook',
    code: 'D-HOOK-MISSING',
    detail: /^\S+ claims movable_clock without the hook advance_clock$/,
    next: /^add hooks\.advance_clock to \S+, or remove movable_clock from its capabilities$/,
    change: ({ text }) => text.replace('[restartable]', '[restartable, movable_clock]'),
  },
  {
    what: "a key of another administrator's certificate",
    code: 'D-CERT-KEY',
    detail: /^the administrator's key \S+ does not belong to the certificate \S+$/,
    next: /^correct tls\.admin\.key, or the file$/,
    change: async ({ text, ca }) => {
      await ca.issue('another', { usages: ['clientAuth'] })
      return text.replace('pki/admin.pem', 'pki/another.pem')
    },
  },
  {
    what: 'a server certificate for another name',
    code: 'D-TLS-NAME',
    detail: /^verifier at \S+ shows a certificate for another name \(.*127\.0\.0\.9\)$/,
    next: /^write one of those names in the url, or issue it for the name in the url$/,
    fixture: { verifier: { certificate: { ip: '127.0.0.9' } } },
  },
]

const shown: Finding[] = []

/** `ASSAY_SHOW=1 npx vitest run conformance/doctor/wrong-targets.test.ts` prints the messages. */
afterAll(() => {
  if (process.env.ASSAY_SHOW === undefined) return
  const lines = shown.map(({ code, detail, next }) => `${code}\n  ${detail}\n  next: ${next}`)
  process.stdout.write(`\n${lines.join('\n')}\n`)
})

test('a valid target file gives no fault', async () => {
  const fixture = await makeFixture()
  const { code, report } = await fixture.runDoctor(fixture.text)
  const wrong = report.findings.flatMap((one) => (one.ok ? [] : [`${one.code} ${one.severity}`]))
  // The servers of the fixture enrol no agent.
  expect(wrong).toEqual(['D-FUNCTION warning'])
  expect({ code, ok: report.ok, left: report.not_made }).toEqual({ code: 0, ok: true, left: [] })
})

test.each(WRONG)(
  '$what is reported with its own code',
  async ({ change, fixture: more, ...expected }) => {
    const fixture = await makeFixture(more)
    const { code, report } = await fixture.runDoctor((await change?.(fixture)) ?? fixture.text)
    const [fault, ...others] = report.findings.filter(({ severity }) => severity === 'fault')
    if (fault !== undefined)
      shown.push({
        ...fault,
        detail: fault.detail.replaceAll(`${fixture.directory}/`, ''),
        next: (fault.next ?? '').replaceAll(`${fixture.directory}/`, ''),
      })
    expect({ code, faults: [fault?.code, ...others.map((other) => other.code)] }).toEqual({
      code: 2,
      // Both roles may report the same mistake.
      faults: [expected.code, ...others.map(() => expected.code)],
    })
    expect(fault?.detail).toMatch(expected.detail)
    expect(fault?.next).toMatch(expected.next)
  },
)

test('each of these mistakes has its own code', () => {
  expect(new Set(WRONG.map(({ code }) => code)).size).toBe(WRONG.length)
})
