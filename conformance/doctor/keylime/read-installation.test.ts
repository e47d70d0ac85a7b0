import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { loadTarget } from '../../target/load-target.ts'
import { type InitSurroundings, initMain } from '../init.ts'
import { makeFixture } from '../testing/test-fixture.ts'

/** Servers, and the configuration files of an installation that has them. */
async function install() {
  const { urls, directory } = await makeFixture()
  const etc = join(directory, 'etc')
  const pki = join(directory, 'pki')
  const [verifier, registrar] = [new URL(urls.verifier ?? ''), new URL(urls.registrar ?? '')]
  mkdirSync(join(etc, 'verifier.conf.d'), { recursive: true })
  writeFileSync(
    join(etc, 'verifier.conf'),
    `[verifier]\nip = "0.0.0.0"\nport = ${verifier.port}\nquote_interval = 60\nsession_lifetime = 180\n`,
  )
  writeFileSync(join(etc, 'verifier.conf.d', 'ours.conf'), '[verifier]\nquote_interval = 1\n')
  writeFileSync(
    join(etc, 'registrar.conf'),
    `[registrar]\nip = 127.0.0.1\nport = 8890\ntls_port = ${registrar.port}\n`,
  )
  writeFileSync(
    join(etc, 'tenant.conf'),
    `[tenant]\ntls_dir = ${pki}\nclient_cert = admin.crt\nclient_key = admin.pem\ntrusted_server_ca = ["ca.crt"]\n`,
  )
  const out = join(directory, 'new.target.yaml')
  return { urls, etc, pki, out }
}

async function init(argv: readonly string[], surroundings: InitSurroundings = {}): Promise<string> {
  const out = new PassThrough()
  expect(await initMain(argv, { out, ...surroundings })).toBe(0)
  return String(out.read())
}

test('a target file is written from the configuration alone, and it loads', async () => {
  const { urls, etc, pki, out } = await install()
  const printed = await init(['--config-dir', etc, '--out', out])
  expect(printed).toContain(`read ${join(etc, 'verifier.conf')}, `)
  expect(await loadTarget(out, { run: '/run', ekCa: '/ek', env: {} })).toMatchObject({
    name: `Keylime at 127.0.0.1:${new URL(urls.verifier ?? '').port}`,
    roles: [
      { role: 'verifier', url: urls.verifier },
      { role: 'registrar', url: urls.registrar, http: 'http://127.0.0.1:8890' },
    ],
    tls: {
      ca: join(pki, 'ca.crt'),
      admin: { certificate: join(pki, 'admin.crt'), key: join(pki, 'admin.pem') },
    },
    time: { quoteIntervalMs: 1000 },
    dialect: { base: 'keylime' },
  })
  expect(readFileSync(out, 'utf8')).toContain(
    'time: { quote_interval: 1s, verdict_within: 10s, token_lifetime: 180s }',
  )
})

test.each([
  ['pull', ['2.5']],
  ['push', ['3.0']],
])('a verifier whose mode is %s is judged in the versions %j', async (mode, versions) => {
  const { etc, out } = await install()
  writeFileSync(join(etc, 'verifier.conf.d', 'mode.conf'), `[verifier]\nmode = ${mode}\n`)
  await init(['--config-dir', etc, '--out', out])
  expect(await loadTarget(out, { run: '/run', ekCa: '/ek', env: {} })).toMatchObject({ versions })
})

test('the configuration of the machine is found without an option', async () => {
  const { etc, out } = await install()
  const configured = { directories: [join(etc, 'none'), etc] }
  expect(await init(['--out', out], { configured })).toContain(join(etc, 'tenant.conf'))
})

test('the configuration of the machine is not read if an option names a server', async () => {
  const { urls, etc, pki, out } = await install()
  const files = ['--ca', 'ca.crt', '--cert', 'admin.crt', '--key', 'admin.pem']
  const given = files.map((word) => (word.startsWith('--') ? word : join(pki, word)))
  const argv = ['--registrar', urls.registrar ?? '', ...given, '--name', 'ours', '--out', out]
  expect(await init(argv, { configured: { directories: [etc] } })).not.toContain(etc)
  expect(readFileSync(out, 'utf8')).not.toContain('http:')
})

test('an option has precedence over the configuration', async () => {
  const { etc, out } = await install()
  await init(['--config-dir', etc, '--name', 'ours', '--out', out])
  expect(readFileSync(out, 'utf8')).toContain('name: "ours"')
})

test('a directory without a configuration is named', async () => {
  const { pki, out } = await install()
  await expect(init(['--config-dir', pki, '--out', out])).rejects.toMatchObject({
    sentence: `${pki} has neither verifier.conf nor registrar.conf nor tenant.conf`,
  })
})
