import { expect, test } from 'vitest'
import { answersOf, type Installation } from './answers.ts'
import { COMPONENTS, parseSection } from './read-settings.ts'

/** An installation of these texts, one for each component. */
function installed(
  texts: Readonly<Partial<Record<(typeof COMPONENTS)[number], string>>>,
): Installation {
  const found = COMPONENTS.flatMap((component) => {
    const text = texts[component]
    const file = `/etc/keylime/${component}.conf`
    if (text === undefined) return []
    const options = parseSection(`[${component}]\n${text}`, file, component)
    return [[component, { component, files: [file], options }] as const]
  })
  return Object.fromEntries(found)
}

const answers = (texts: Parameters<typeof installed>[0], given: readonly string[] = []) =>
  answersOf(installed(texts), '/var/lib/keylime', new Set(given)).answers

const VERIFIER = 'ip = 127.0.0.1\nport = 8881\ntls_dir = generate'
const REGISTRAR = 'ip = 127.0.0.1\nport = 8890\ntls_port = 8891'
const TENANT =
  'verifier_ip = 10.0.0.1\nverifier_port = 1\nregistrar_ip = 10.0.0.2\nregistrar_port = 2'

test('the files of the servers give their addresses, and the certificates that they generate', () => {
  expect(answers({ verifier: VERIFIER, registrar: REGISTRAR })).toEqual({
    verifier: 'https://127.0.0.1:8881',
    registrar: 'https://127.0.0.1:8891',
    http: 'http://127.0.0.1:8890',
    ca: '/var/lib/keylime/cv_ca/cacert.crt',
    cert: '/var/lib/keylime/cv_ca/client-cert.crt',
    key: '/var/lib/keylime/cv_ca/client-private.pem',
    time: {},
  })
})

test("the tenant's file has precedence", () => {
  const tenant = `${TENANT}\ntls_dir = tls\ntrusted_server_ca = ['a.crt']\nclient_cert = b.crt\nclient_key = /c.pem`
  expect(answers({ verifier: VERIFIER, registrar: REGISTRAR, tenant })).toEqual({
    verifier: 'https://10.0.0.1:1',
    registrar: 'https://10.0.0.2:2',
    http: 'http://127.0.0.1:8890',
    ca: '/var/lib/keylime/tls/a.crt',
    cert: '/var/lib/keylime/tls/b.crt',
    key: '/c.pem',
    time: {},
  })
})

test.each([
  ['0.0.0.0', 'https://127.0.0.1:8881'],
  ['::', 'https://[::1]:8881'],
  ['::1', 'https://[::1]:8881'],
  ['verifier.example', 'https://verifier.example:8881'],
])('a verifier that listens at %s is reached at %s', (ip, url) => {
  expect(answers({ verifier: `ip = ${ip}\nport = 8881` }).verifier).toBe(url)
})

test('times become those of the target file', () => {
  const times = 'quote_interval = 0.5\nsession_lifetime = 180\nchallenge_lifetime = 1800'
  expect(answers({ verifier: times }).time).toEqual({
    quote_interval: '500ms',
    token_lifetime: '180s',
    challenge_lifetime: '1800s',
  })
})

test('what a person gives is not looked for', () => {
  const tenant = `${TENANT}\nclient_key_password = secret`
  expect(answers({ tenant }, ['verifier', 'ca', 'cert', 'key'])).toEqual({
    registrar: 'https://10.0.0.2:2',
    time: {},
  })
})

test('the HTTP port of a registrar that a person names is not that of the configuration', () => {
  expect(answers({ registrar: REGISTRAR }).http).toBe('http://127.0.0.1:8890')
  expect(answers({ registrar: REGISTRAR }, ['registrar']).http).toBeUndefined()
})

const VERIFIER_FILE = '/etc/keylime/verifier.conf'

test.each([
  [
    'port = 99999\nip = a',
    `port in [verifier] of ${VERIFIER_FILE}, line 2, is "99999", expected a port`,
  ],
  [
    'port = 1\nip = a b',
    `ip in [verifier] of ${VERIFIER_FILE}, line 3, is "a b", expected an address or a name`,
  ],
  [
    'mode = both',
    `mode in [verifier] of ${VERIFIER_FILE}, line 2, is "both", expected pull or push`,
  ],
  [
    'quote_interval = 0',
    `quote_interval in [verifier] of ${VERIFIER_FILE}, line 2, is "0", expected a number of seconds above 0`,
  ],
  [
    'session_lifetime = 3m',
    `session_lifetime in [verifier] of ${VERIFIER_FILE}, line 2, is "3m", expected a number of seconds above 0`,
  ],
  [
    'trusted_server_ca = all',
    `trusted_server_ca in [verifier] of ${VERIFIER_FILE}, line 2, trusts every server, and Assay needs a CA`,
  ],
  [
    'trusted_server_ca = ["a.crt", "b.crt"]',
    `trusted_server_ca in [verifier] of ${VERIFIER_FILE}, line 2, names 2 files, and a target file has one`,
  ],
])('a value that cannot be used is named with its place: %j', (verifier, sentence) => {
  expect(() => answers({ verifier })).toThrow(expect.objectContaining({ sentence }))
})

test('the password of a key is not printed', () => {
  const asked = () => answers({ tenant: `${TENANT}\nclient_key_password = hunter2` })
  expect(asked).toThrow(
    'client_key_password in [tenant] of /etc/keylime/tenant.conf, line 6, is set',
  )
  expect(asked).not.toThrow('hunter2')
})
