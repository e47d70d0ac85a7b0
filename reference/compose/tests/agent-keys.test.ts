import { constants, createCipheriv, createHmac, publicEncrypt, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { zipOf } from '../../bytes/zip.ts'
import { type ComposedAgent, composedAgent } from '../../dev/testing/composed-agent.ts'

/** A tenant with random K and V, and the messages of the tenant and the verifier. */
async function tenantOf(agent: ComposedAgent, payload?: Uint8Array) {
  const { body } = await agent.ask('/v2.5/keys/pubkey')
  const seal = (half: Uint8Array) =>
    publicEncrypt(
      {
        key: String(body.results['pubkey']),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: 'sha1',
      },
      half,
    ).toString('base64')
  const [key, v] = [randomBytes(32), randomBytes(32)]
  const u = Buffer.from(key.map((byte, at) => byte ^ (v[at] ?? 0)))
  const request = {
    encrypted_key: seal(u),
    auth_tag: createHmac('sha384', key).update(agent.uuid).digest('hex'),
    ...(payload && { payload: encrypt(key, payload) }),
  }
  const challenge = 'Ab3dEfGh1jKlMnOpQrSt'
  return {
    ...{ key, request, seal },
    sendV: () => agent.ask('/v2.5/keys/vkey', { encrypted_key: seal(v) }),
    sendU: (change: object = {}) => agent.ask('/v2.5/keys/ukey', { ...request, ...change }),
    proof: () => agent.ask(`/v2.5/keys/verify?challenge=${challenge}`),
    expected: createHmac('sha384', key).update(challenge).digest('hex'),
  }
}

function encrypt(key: Uint8Array, contents: Uint8Array): string {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([iv, cipher.update(contents), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  )
}

const EMPTY = { status: 200, body: { code: 200, status: 'Success', results: {} } }

test('V and U make a K that the agent proves', async () => {
  const tenant = await tenantOf(await composedAgent())
  expect(await tenant.proof()).toMatchObject({
    status: 400,
    body: { status: 'Bootstrap key not yet available.' },
  })
  expect(await tenant.sendV()).toEqual(EMPTY)
  expect(await tenant.sendU()).toEqual(EMPTY)
  expect((await tenant.proof()).body.results).toEqual({ hmac: tenant.expected })
  expect(await tenant.sendU()).toEqual(EMPTY)
})

test('with a wrong tag nothing is proved, and the right one is taken after it', async () => {
  const tenant = await tenantOf(await composedAgent())
  await tenant.sendV()
  const auth_tag = createHmac('sha384', randomBytes(32)).update('x').digest('hex')
  expect((await tenant.sendU({ auth_tag })).status).toBe(200)
  expect((await tenant.proof()).status).toBe(400)
  expect((await tenant.sendU()).status).toBe(200)
  expect((await tenant.proof()).body.results).toEqual({ hmac: tenant.expected })
})

test('a payload that is of another key than its tag is refused', async () => {
  const tenant = await tenantOf(await composedAgent())
  await tenant.sendV()
  const payload = randomBytes(64).toString('base64')
  const { status, body } = await tenant.sendU({ payload })
  expect([status, body.status]).toEqual([400, expect.stringContaining('and payload is not')])
  expect((await tenant.proof()).status).toBe(400)
})

test('an invalid key is refused with a sentence and a pointer', async () => {
  const tenant = await tenantOf(await composedAgent())
  const statusOf = async (change: object) => (await tenant.sendU(change)).body.status
  const { seal } = tenant
  expect(await statusOf({ encrypted_key: '!' })).toContain('/encrypted_key: at character 0')
  expect(await statusOf({ encrypted_key: 'AAAA' })).toContain('does not decrypt to 32 bytes')
  expect(await statusOf({ encrypted_key: seal(randomBytes(16)) })).toContain('32 bytes')
  expect(await statusOf({ encrypted_key: seal(randomBytes(33)) })).toContain('32 bytes')
  expect(await statusOf({ auth_tag: 'xy' })).toContain('/auth_tag: at character 0')
  expect(await statusOf({ auth_tag: 'abcd' })).toContain('/auth_tag: has 2 bytes')
  expect(await statusOf({ auth_tag: undefined })).toContain('/auth_tag: is missing')
  expect(await statusOf({ payload: 'AAAA' })).toContain('/payload: is shorter')
})

/** Payloads are delivered after the answer. */
async function settled(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it was not delivered')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a payload is unpacked where only its owner enters, and its script runs where the setting names it', async () => {
  const agent = await composedAgent(['payload_script=autorun.sh'])
  const script = 'cat secret.txt > ran\n'
  const archive = zipOf([
    { name: 'autorun.sh', content: script },
    { name: 'secret.txt', content: 'a secret' },
  ])
  const tenant = await tenantOf(agent, archive)
  await tenant.sendU()
  await tenant.sendV()
  const secure = join(agent.stateDirectory, 'agent', 'secure')
  await settled(() => existsSync(join(secure, 'unzipped', 'ran')))
  expect(statSync(secure).mode & 0o777).toBe(0o700)
  expect(statSync(join(secure, 'unzipped')).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(secure, 'decrypted_payload'))).toEqual(Buffer.from(archive))
  expect(readFileSync(join(secure, 'derived_tci_key'))).toEqual(tenant.key)
})

test('without the setting no script runs', async () => {
  const agent = await composedAgent()
  const archive = zipOf([{ name: 'autorun.sh', content: 'touch ran\n' }])
  const tenant = await tenantOf(agent, archive)
  await tenant.sendV()
  await tenant.sendU()
  const unzipped = join(agent.stateDirectory, 'agent', 'secure', 'unzipped')
  await settled(() => existsSync(join(unzipped, 'autorun.sh')))
  expect(existsSync(join(unzipped, 'ran'))).toBe(false)
})
