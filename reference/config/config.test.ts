import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { StartFault } from '../errors.ts'
import { type Component, loadConfig } from './config.ts'

function file(text: string): string {
  const path = join(temporaryDirectory(), 'assay.ini')
  writeFileSync(path, text)
  return path
}

function faultOf(
  component: Component,
  path: string | undefined,
  ...settings: string[]
): StartFault {
  try {
    loadConfig(component, path, settings)
  } catch (error) {
    if (error instanceof StartFault) return error
  }
  throw new Error('it was not refused')
}

test('without settings the registrar has its defaults', () => {
  expect(loadConfig('registrar', undefined, [])).toEqual({
    ip: '127.0.0.1',
    port: 8891,
    client_cert: 'default',
    client_key: 'default',
    provider_registrar_ip: '',
    provider_registrar_port: 8891,
    state_dir: 'assay-state',
    tls_dir: 'default',
    database: 'registrar.sqlite',
    http_port: 'off',
    tpm_cert_store: '',
    require_ek_cert: false,
    malformed_cert_action: 'warn',
    tpm_identity: 'default',
    max_upload_size: 104_857_600,
    max_public_bodies: 16_777_216,
    max_header_size: 16_384,
    max_connections: 2048,
    max_connections_per_address: 1024,
    handshake_timeout: 10,
    header_timeout: 20,
    request_timeout: 120,
    authorization_provider: 'simple',
    trusted_client_ca: 'default',
    server_cert: 'default',
    server_key: 'default',
    log_level: 'info',
    api_versions: ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'],
  })
})

test.each(['sha256,sha1', 'sha256, sha1', "['sha256', 'sha1']", '["sha256","sha1"]'])(
  'a list may be written as %s',
  (list) => {
    const path = file(`[tenant]\naccept_tpm_hash_algs = ${list}\ntls_dir = default\n`)
    const config = loadConfig('tenant', path, [])
    expect(config.accept_tpm_hash_algs).toEqual(['sha256', 'sha1'])
    expect(config.tls_dir).toBe('default')
  },
)

test.each(['', ',', 'sha256,', 'sha-1'])('%j is no list of names', (list) => {
  expect(faultOf('tenant', undefined, `accept_tpm_hash_algs=${list}`).sentence).toMatch(/names/)
})

test('without settings the verifier has its defaults', () => {
  expect(loadConfig('verifier', undefined, [])).toEqual({
    ip: '127.0.0.1',
    port: 8881,
    provider_registrar_ip: '',
    provider_registrar_port: 8891,
    state_dir: 'assay-state',
    tls_dir: 'generate',
    client_cert: 'default',
    client_key: 'default',
    cert_subject_alternative_names: '',
    registrar_ip: '127.0.0.1',
    registrar_port: 8891,
    database: 'verifier.sqlite',
    max_upload_size: 104_857_600,
    max_public_bodies: 16_777_216,
    max_header_size: 16_384,
    max_connections: 2048,
    max_connections_per_address: 1024,
    handshake_timeout: 10,
    header_timeout: 20,
    request_timeout: 120,
    authorization_provider: 'simple',
    trusted_client_ca: 'default',
    server_cert: 'default',
    server_key: 'default',
    log_level: 'info',
    api_versions: ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'],
    quote_interval: 2,
    early_capabilities: 'accept',
    verification_timeout: 0,
    challenge_lifetime: 1800,
    nonce_lifetime: 60,
    open_sessions: 32_768,
    open_sessions_per_agent: 1024,
    session_lifetime: 180,
    extend_token_on_attestation: true,
    evidence_kept: 67_108_864,
    evaluation_limit: 10,
    measured_boot_policy_name: 'example',
    metrics_port: 'off',
    evaluation_workers: 2,
    public_evaluation_workers: 1,
    evaluations_waiting: 256,
    ignore_tomtou_errors: false,
    require_allow_list_signatures: false,
    tee_cert_store: '',
    tee_allow_debug: false,
    verifier_id: 'default',
    mode: 'both',
    enable_agent_mtls: true,
    max_retries: 5,
    retry_interval: 2,
    exponential_backoff: true,
    poll_timeout: 60,
    poll_answer_size: 67_108_864,
    polls_at_once: 256,
    enabled_revocation_notifications: ['agent'],
    webhook_url: '',
    webhook_ca: 'system',
    zmq_ip: '127.0.0.1',
    zmq_port: 8992,
    severity_labels: ['info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
    severity_policy: [{ event_id: '.*', severity_label: 'emergency' }],
  })
})

test('a component reads its own section of the file', () => {
  const path = file('[registrar]\nport = 1\n[verifier]\nport = 2\nquote_interval = 7\n')
  expect(loadConfig('registrar', path, []).port).toBe(1)
  expect(loadConfig('verifier', path, [])).toMatchObject({ port: 2, quote_interval: 7 })
})

test.each([
  [
    'a mistyped section',
    '[verifer]\nport = 2\n',
    'has a section [verifer], which no component reads',
  ],
  ['a setting before any section', 'port = 2\n[verifier]\n', 'has port in no section'],
])('%s is refused by its name', (_, text, says) => {
  const path = file(text)
  const fault = faultOf('verifier', path)
  expect(fault.message).toBe(`the configuration file ${path} ${says}`)
  expect(fault.next).toContain('its sections are registrar, verifier,')
})

test('the command line overrides the file, and its last value the first', () => {
  const path = file('[verifier]\nport = 2\nquote_interval = 7\n')
  const config = loadConfig('verifier', path, ['port=3', 'port=4'])
  expect(config).toMatchObject({ port: 4, quote_interval: 7 })
})

test('a value may hold an equals sign', () => {
  expect(loadConfig('verifier', undefined, ['verifier_id=a=b']).verifier_id).toBe('a=b')
})

test.each<[string, readonly string[]]>([
  ['a setting of the other component', ['quote_interval=2']],
  ['a misspelt setting', ['prot=1']],
  ['a prototype name', ['__proto__=1']],
  ['another prototype name', ['constructor=1']],
])('%s is unknown to the registrar', (_, settings) => {
  const { sentence, next } = faultOf('registrar', undefined, ...settings)
  expect(sentence).toBe(`registrar has no setting called ${settings[0]?.split('=')[0]}`)
  expect(next).toContain('max_upload_size')
})

test('an unknown setting of the file is unknown too', () => {
  expect(faultOf('verifier', file('[verifier]\nprot = 1\n')).sentence).toBe(
    'verifier has no setting called prot',
  )
})

test("how bad failures are may be said in words of one's own", () => {
  const rule = { event_id: 'ima\\..*', severity_label: 'bad' }
  const settings = ['severity_labels=fine, bad', `severity_policy=${JSON.stringify([rule])}`]
  expect(loadConfig('verifier', undefined, settings)).toMatchObject({
    severity_labels: ['fine', 'bad'],
    severity_policy: [rule],
  })
})

test.each([
  ['port=-1', 'it takes a whole number from 0 to 65535'],
  ['port=65536', 'it takes a whole number from 0 to 65535'],
  ['port=1e3', 'it takes a whole number from 0 to 65535'],
  ['port=', 'it takes a whole number from 0 to 65535'],
  ['quote_interval=0', 'it takes a whole number from 1 to 86400'],
  ['quote_interval=0.5', 'it takes a whole number from 1 to 86400'],
  ['session_lifetime=-1', 'it takes a whole number from 1 to 31536000'],
  ['ignore_tomtou_errors=yes', 'it takes True or False'],
  ['ignore_tomtou_errors=constructor', 'it takes True or False'],
  ['ignore_tomtou_errors=__proto__', 'it takes True or False'],
  ['severity_labels=a,,b', 'it takes names, separated by commas'],
  ['mode=pul', 'it takes one of both, pull, push'],
  ['log_level=loud', 'it takes one of info, debug, warn, error, silent'],
  [
    'api_versions=2.5, 2.7',
    'it takes a list with commas of 1.0, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 3.0',
  ],
])('%s is refused with the allowed values', (setting, wants) => {
  const [name = '', value = ''] = setting.split('=')
  const { sentence } = faultOf('verifier', undefined, setting)
  expect(sentence).toBe(`verifier setting ${name} is ${JSON.stringify(value)}: ${wants}`)
})

test.each(['{', '{}', '[1]', '[{"event_id":"(","severity_label":"info"}]', '[{"event_id":"a"}]'])(
  '%s is no policy of severity',
  (value) => {
    expect(faultOf('verifier', undefined, `severity_policy=${value}`).sentence).toMatch(
      /it takes a JSON list of \{"event_id"/,
    )
  },
)

test.each<[string, number | 'off']>([
  ['off', 'off'],
  ['8890', 8890],
  ['0', 0],
])('the port without TLS may be %s', (word, port) => {
  expect(loadConfig('registrar', undefined, [`http_port=${word}`]).http_port).toBe(port)
})

test('an invalid port without TLS is refused with the allowed values', () => {
  const { sentence } = faultOf('registrar', undefined, 'http_port=on')
  expect(sentence).toContain('it takes off, or a whole number from 0 to 65535')
})

test('versions are taken in their own order, and each once', () => {
  const config = loadConfig('registrar', undefined, ['api_versions=3.0, 2.6,2.1,2.6'])
  expect(config.api_versions).toEqual(['2.1', '2.6', '3.0'])
})

test.each(['True', 'true', 'TRUE'])('%s is true', (word) => {
  const config = loadConfig('verifier', undefined, [`ignore_tomtou_errors=${word}`])
  expect(config.ignore_tomtou_errors).toBe(true)
})

test.each(['port', '=1'])('--set %s has no value', (word) => {
  expect(faultOf('registrar', undefined, word).sentence).toBe(`--set ${word} has no value`)
})

test('a file that is not there is named', () => {
  expect(faultOf('registrar', '/nowhere/assay.ini').sentence).toContain('/nowhere/assay.ini')
})
