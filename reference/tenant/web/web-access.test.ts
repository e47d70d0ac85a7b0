import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLIENT_AUTH, createAuthority } from '../../pki/authority.ts'
import { AGENT, IP, webScene } from '../testing/web-scene.ts'

test('a client without a certificate gets no page, and one with it does', async () => {
  const { web } = await webScene()
  await expect(web('/', { client: undefined })).rejects.toThrow(
    /certificate required|ECONNRESET|hang up/,
  )
  expect(await web('/')).toMatchObject({ status: 200 })
})

test('certificates of another CA, and of servers, open nothing', async () => {
  const { web, directory } = await webScene()
  const other = await createAuthority('another', Date.now())
  const { certificate, key } = await other.issue({ commonName: 'client', usage: CLIENT_AUTH })
  writeFileSync(join(directory, 'other-cert.crt'), certificate)
  writeFileSync(join(directory, 'other-private.pem'), key)
  expect(new X509Certificate(certificate).subject).toBe('CN=client')
  for (const client of ['other', 'server'])
    await expect(web('/v2/agents/', { client })).rejects.toThrow(/alert|ECONNRESET|hang up/)
})

test('a token makes an administrator a stranger', async () => {
  const { web } = await webScene()
  const headers = { authorization: 'Bearer x.y' }
  expect((await web('/v2/agents/', { headers })).status).toBeGreaterThan(400)
})

const own = (port: number) => `https://127.0.0.1:${port}`

test.each<[string, (port: number) => Record<string, string>]>([
  ['another origin', () => ({ origin: 'https://elsewhere.example' })],
  ['another port', (port) => ({ origin: own(port + 1) })],
  ['an origin without TLS', (port) => ({ origin: `http://127.0.0.1:${port}` })],
  ['an origin that is hidden', () => ({ origin: 'null' })],
  ['a page of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['a page of the same site', () => ({ 'sec-fetch-site': 'same-site' })],
])('%s changes nothing, and the page of the application does', async (_what, foreign) => {
  const { web, port } = await webScene()
  const add = (headers: Record<string, string>) => web(AGENT, { method: 'POST', body: IP, headers })
  expect(await add(foreign(port))).toMatchObject({
    ...{ status: 403, says: expect.stringMatching(/another origin/) },
  })
  expect((await web(AGENT)).results).toMatchObject({ added: false })
  const ours = { origin: own(port), 'sec-fetch-site': 'same-origin' }
  expect(await add(ours)).toMatchObject({ status: 200 })
})
