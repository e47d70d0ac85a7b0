import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { API_VERSIONS, type ApiVersion, prefixesOf } from '../../api/versions.ts'
import { type Composed, composed, type Role } from '../../dev/testing/composed.ts'

const ROLES = ['registrar', 'verifier'] as const
const NOWHERE = { status: 404, body: { code: 404, status: 'No such path.', results: {} } }

/** The versions that know a path of theirs, under each of their prefixes. */
async function answering({ ask }: Composed, role: Role): Promise<readonly ApiVersion[]> {
  const known = await Promise.all(
    API_VERSIONS.map(async (version) => {
      const path = version === '3.0' ? '/' : '/agents/a'
      const answers = await Promise.all(
        prefixesOf(version).map((prefix) => ask(role, `${prefix}${path}`, { admin: true })),
      )
      return answers.every(({ body }) => !isDeepStrictEqual(body, NOWHERE.body))
    }),
  )
  return API_VERSIONS.filter((_, index) => known[index])
}

const SETTINGS = [
  [undefined, '2.5', ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0']],
  ['1.0,2.0,2.1,2.2,2.3,2.4,2.5,2.6,3.0', '2.6', [...API_VERSIONS]],
  ['2.3', '2.3', ['2.3']],
  ['1.0,3.0', '3.0', ['1.0', '3.0']],
] as const

test.each(SETTINGS)(
  'with api_versions %s exactly the listed versions answer',
  async (setting, current, listed) => {
    const both = await composed(setting === undefined ? [] : [`api_versions=${setting}`])
    for (const role of ROLES) {
      const { body } = await both.ask(role, '/version')
      expect(body).toMatchObject({
        results: { current_version: current, supported_versions: listed },
      })
      expect(await answering(both, role)).toEqual(listed)
    }
  },
)

test('a deployment of versions before 2.3 has no version endpoint', async () => {
  const { ask } = await composed(['api_versions=2.0,2.1,2.2'])
  for (const role of ROLES) {
    expect(await ask(role, '/version')).toEqual(NOWHERE)
    expect(await ask(role, '/versions')).toEqual(NOWHERE)
    expect((await ask(role, '/')).status).toBe(200)
  }
})

const UNSERVED = '/v1 /v1.0 /v2.1 /v2.5 /v2.6 /v3 /v3.0'
const UNKNOWN = '/v2.7 /v4.0 /v4 /V2.4 /2.4 /v2.40 /v02.4 /v2. /v2,4 /v /v2x4 /v2.4.0'
const PATHS = ['', '/', '/agents', '/agents/a', '/allowlists', '/verify/evidence', '/sessions']

test('every prefix except 2.0 and 2.4 is unknown, for every client and path', async () => {
  const { ask } = await composed(['api_versions=2.0,2.4'])
  const urls = `${UNSERVED} ${UNKNOWN}`
    .split(' ')
    .flatMap((prefix) => PATHS.map((path) => `${prefix}${path}`))
  for (const role of ROLES) {
    for (const url of urls) {
      for (const method of ['GET', 'PUT']) {
        const answer = await ask(role, url, { method, admin: true })
        expect([url, method, answer]).toEqual([url, method, NOWHERE])
      }
    }
  }
})
