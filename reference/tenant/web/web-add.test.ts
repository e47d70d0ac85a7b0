import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { systemRandom } from '../../platform/random.ts'
import { bootstrapRules } from '../add/payload/bootstrap-keys.ts'
import { AGENT, IP, webScene } from '../testing/web-scene.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64')

/** Files with three keys and with a payload under the first. */
function sealed() {
  const keys = bootstrapRules.split(systemRandom)
  const text = bootstrapRules.seal(keys.k, Buffer.from('sealed before'), systemRandom)
  const lines = [keys.k, keys.v, keys.u].map(toBase64)
  return { keyfile_data: encoded(`${lines.join('\n')}\n`), file_data: encoded(`${text}\n`) }
}

test('the bytes of file_data are the payload, whatever their name', async () => {
  const { web, agent } = await webScene()
  const body = { ...IP, file_data: encoded('the launch code'), file_name: 'a/code.txt' }
  expect(await web(AGENT, { method: 'POST', body })).toMatchObject({ status: 200 })
  expect(agent.opened).toMatchObject({ tagIsRight: true, payload: 'the launch code' })
})

test('with keyfile_data, file_data is a payload that is encrypted with these keys', async () => {
  const { web, agent } = await webScene()
  const body = { ...IP, ...sealed(), keyfile_name: 'keys', file_name: 'sealed' }
  expect(await web(AGENT, { method: 'POST', body })).toMatchObject({ status: 200 })
  expect(agent.opened).toMatchObject({ tagIsRight: true, payload: 'sealed before' })
})

test('with ca_dir, the payload is a package of that CA with the included files', async () => {
  const { web, agent, status, state_dir } = await webScene()
  const included = { include_dir_data: [encoded('exit 0')], include_dir_name: ['autorun.sh'] }
  const body = { ...IP, ca_dir: 'site', ca_dir_pw: 'a password', ...included }
  expect(await web(AGENT, { method: 'POST', body })).toMatchObject({ status: 200 })
  expect(agent.opened.payload).toMatch(/^PK[\s\S]*autorun\.sh/)
  expect(JSON.parse(String((await status()).meta_data))).toHaveProperty('cert_serial')
  const key = readFileSync(join(state_dir, 'web-ca/site/ca-private.pem'), 'utf8')
  expect(key).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/)
})

test.each([
  ['another password', { ca_dir_pw: 'another' }, /has another passphrase/],
  ['no password', { ca_dir_pw: '' }, /is locked with a passphrase/],
])('a CA that has a password is not used with %s', async (_what, change, sentence) => {
  const { web } = await webScene()
  const body = { ...IP, ca_dir: 'site', ca_dir_pw: 'a password' }
  expect(await web(AGENT, { method: 'POST', body })).toMatchObject({ status: 200 })
  expect(await web(AGENT, { method: 'DELETE' })).toMatchObject({ status: 200 })
  const answer = await web(AGENT, { method: 'POST', body: { ...body, ...change } })
  expect(answer).toMatchObject({ status: 422, says: expect.stringMatching(sentence) })
  expect(answer.says).toMatch(/^the key site\/ca-private.pem /)
})

const ONE = { include_dir_data: encoded('x'), include_dir_name: 'x' }

test.each<[string, unknown, RegExp]>([
  ['no body', undefined, /body/],
  ['a body that is no JSON', '{"ip"', /JSON/],
  ['a list', [IP], /object/],
  ['no ip', {}, /ip/],
  ['an ip of a number', { ip: 1 }, /\/ip/],
  ['an empty ip', { ip: '' }, /\/ip/],
  ['an ip with a path', { ip: '127.0.0.1/x' }, /\/ip/],
  ['a member more', { ...IP, port: 1 }, /\/port: is no member/],
  ['a prototype', '{"ip":"127.0.0.1","__proto__":{"x":1}}', /__proto__/],
  ['a name of no file', { ...IP, file_name: 'x' }, /\/file_name: .*without file_data/],
  ['a name of no key file', { ...IP, keyfile_name: 'x' }, /without keyfile_data/],
  ['a password of no CA', { ...IP, ca_dir_pw: 'x' }, /without ca_dir/],
  ['files for no CA', { ...IP, ...ONE }, /without ca_dir/],
  ['a file that is no base64', { ...IP, file_data: '?' }, /\/file_data: is no base64/],
  ['keys that are none', { ...IP, keyfile_data: encoded('x') }, /^keyfile_data:1: K is not 32 /],
  ['other keys', { ...IP, ...sealed(), keyfile_data: sealed().keyfile_data }, /does not open/],
  ['two payloads', { ...IP, ca_dir: 'x', file_data: encoded('x') }, /gets one payload/],
  ['a CA elsewhere', { ...IP, ca_dir: '../x' }, /\/ca_dir: is no file name/],
  ['a CA of all', { ...IP, ca_dir: '..' }, /\/ca_dir: is no file name/],
  ['a file elsewhere', { ...IP, ca_dir: 'x', ...ONE, include_dir_name: 'a/b' }, /no file name/],
  ['a file without name', { ...IP, ca_dir: 'x', include_dir_data: 'AAAA' }, /0 names for 1 files/],
  ['a file of ours', { ...IP, ca_dir: 'x', ...ONE, include_dir_name: 'cacert.crt' }, /already/],
])('%s is refused, and the agent is not asked', async (_what, body, sentence) => {
  const { web, agent, state_dir } = await webScene()
  const answer = await web(AGENT, { method: 'POST', body })
  expect(answer).toMatchObject({ status: 400, says: expect.stringMatching(sentence) })
  expect(agent.asked).toEqual([])
  expect(existsSync(join(state_dir, 'web-ca'))).toBe(false)
})

test('a body that is too large is not read, and a payload of exactly the limit is sent', async () => {
  const { web, agent } = await webScene(['max_payload_size=1000'])
  const post = (size: number) =>
    web(AGENT, { method: 'POST', body: { ...IP, file_data: encoded('x'.repeat(size)) } })
  expect(await post(60_000)).toMatchObject({ status: 413 })
  expect(await post(1001)).toMatchObject({ status: 400, says: expect.stringMatching(/1000/) })
  expect(agent.asked).toEqual([])
  expect(await post(1000)).toMatchObject({ status: 200 })
  expect(agent.opened.payload).toHaveLength(1000)
})
