import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SetupStep } from '../report/result.ts'
import { refuseBadFiles } from '../target/check-files.ts'
import { startDeployment } from '../target/deployment/deployment.ts'
import type { Target } from '../target/target.ts'
import { makeEnvironment, type RunEnvironment } from '../target/testing/test-deployment.ts'
import type { Issued } from '../target/testing/test-support.ts'
import { preflight } from './preflight.ts'

/** An HTTPS server in this process, as a role that is already running. */
async function serve(environment: RunEnvironment, more: ServerOptions = {}): Promise<string> {
  const { certificate, key } = await environment.ca.issue('server')
  const files = { cert: readFileSync(certificate), key: readFileSync(key) }
  const server = createServer({ ...files, ...more }, (_, reply) => reply.writeHead(200).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function check(
  environment: RunEnvironment,
  url: string,
  admin?: Issued,
): Promise<readonly SetupStep[]> {
  const target = environment.target([{ role: 'verifier', url }])
  const changed = admin === undefined ? target : { ...target, tls: { ...target.tls, admin } }
  const deployment = {
    roles: {},
    pids: {},
    steps: [],
    died: () => undefined,
    whenDied: new Promise<never>(() => undefined),
    restart: async () => undefined,
    stop: async () => undefined,
  }
  return await preflight(changed, deployment)
}

test('a valid target passes every step', async () => {
  const environment = await makeEnvironment()
  const steps = await check(environment, await serve(environment))
  expect(steps.map(({ what, ok }) => [what, ok])).toEqual([
    ['CA certificate', true],
    ['admin certificate', true],
    ['admin key', true],
    ['verifier answers', true],
    ['clock of verifier', true],
    ["verifier accepts the administrator's certificate", true],
    ['versions of verifier', true],
    ['push endpoints', true],
    ['answers of verifier differ', true],
  ])
})

test('the steps show the observed values', async () => {
  const environment = await makeEnvironment()
  const url = await serve(environment)
  const details = (await check(environment, url)).map(({ detail }) => detail)
  expect(details[1]).toMatch(/^valid to .* GMT; extended key usage clientAuth$/)
  expect(details[3]).toContain(
    `${url}/version answers 200 over TLSv1.3; server certificate valid to `,
  )
})

test('a server that requires client certificates counts as answering', async () => {
  const environment = await makeEnvironment()
  const url = await serve(environment, { requestCert: true, ca: readFileSync(environment.ca.file) })
  const steps = await check(environment, url)
  expect(steps[3]?.detail).toContain('requires a certificate from every client')
})

test('if nothing listens, the error names both remedies', async () => {
  const environment = await makeEnvironment()
  await expect(check(environment, 'https://127.0.0.1:1')).rejects.toMatchObject({
    sentence: 'nothing listens at https://127.0.0.1:1',
    next: 'start the deployment, or add roles.verifier.start to my.target.yaml',
  })
})

test('for a role that exited after its start, the error has its last output', async () => {
  const environment = await makeEnvironment()
  const target = environment.target([await environment.served('verifier')])
  const deployment = await startDeployment(target, environment.run)
  const died = () => 'verifier exited with code 1 during the run: bye'
  await expect(preflight(target, { ...deployment, died })).rejects.toMatchObject({
    sentence: died(),
  })
})

test('a failing step is reported before the fault is thrown', async () => {
  const environment = await makeEnvironment()
  const seen: SetupStep[] = []
  const target = environment.target([{ role: 'verifier', url: 'https://127.0.0.1:1' }])
  const deployment = await startDeployment(target, environment.run)
  const onStep = (step: SetupStep) => seen.push(step)
  await expect(preflight(target, deployment, { onStep })).rejects.toThrow('nothing listens')
  expect(seen.at(-1)).toMatchObject({ what: 'verifier answers', ok: false })
})

/** A target with `admin` as its administrator. */
function withAdmin(environment: RunEnvironment, admin: Issued): Target {
  const target = environment.target([])
  return { ...target, tls: { ...target.tls, admin } }
}

test('an administrator certificate with clientAuth is accepted', async () => {
  const environment = await makeEnvironment()
  const admin = await environment.ca.issue('other-admin', { usages: ['clientAuth', 'serverAuth'] })
  expect(() => refuseBadFiles(withAdmin(environment, admin))).not.toThrow()
})

test('an administrator certificate without clientAuth is refused', async () => {
  const environment = await makeEnvironment()
  const admin = await environment.ca.issue('other-admin', { usages: ['serverAuth'] })
  expect(() => refuseBadFiles(withAdmin(environment, admin))).toThrow(
    `the administrator's certificate ${admin.certificate} lacks clientAuth in its extended key usage`,
  )
})

test('an administrator certificate without extended key usage is accepted with a warning', async () => {
  const environment = await makeEnvironment()
  const admin = await environment.ca.issue('other-admin')
  const steps = await check(environment, await serve(environment), admin)
  expect(steps[1]?.detail).toMatch(/^warning: .*; it has no extended key usage/)
})

test('an expired administrator certificate is refused', async () => {
  const environment = await makeEnvironment()
  const admin = await environment.ca.issue('other-admin', {
    usages: ['clientAuth'],
    from: -3,
    to: -2,
  })
  expect(() => refuseBadFiles(withAdmin(environment, admin))).toThrow(
    /other-admin\.crt expired on /,
  )
})

test('an administrator certificate that is not valid yet is refused', async () => {
  const environment = await makeEnvironment()
  const admin = await environment.ca.issue('other-admin', {
    usages: ['clientAuth'],
    from: 1,
    to: 2,
  })
  expect(() => refuseBadFiles(withAdmin(environment, admin))).toThrow(
    /other-admin\.crt is valid only from /,
  )
})

test('a key of another certificate is refused', async () => {
  const environment = await makeEnvironment()
  const { key } = await environment.ca.issue('another')
  const admin = { ...environment.target([]).tls.admin, key }
  expect(() => refuseBadFiles(withAdmin(environment, admin))).toThrow(
    `the administrator's key ${key} does not belong to the certificate ${admin.certificate}`,
  )
})

test.each([
  ['certificate', 'no PEM certificate', "the administrator's certificate"],
  ['key', 'no PEM private key', "the administrator's key"],
] as const)('a %s file with other contents is refused', async (which, contents, what) => {
  const environment = await makeEnvironment()
  const file = join(environment.directory, 'nonsense')
  writeFileSync(file, 'nonsense')
  const admin = { ...environment.target([]).tls.admin, [which]: file }
  expect(() => refuseBadFiles(withAdmin(environment, admin))).toThrow(
    `${what} ${file} holds ${contents}`,
  )
})

test('a missing file is refused, with its key in the target file', async () => {
  const environment = await makeEnvironment()
  const target = withAdmin(environment, { certificate: '/nowhere.crt', key: '/nowhere.pem' })
  await expect(startDeployment(target, environment.run)).rejects.toMatchObject({
    sentence: "the administrator's certificate /nowhere.crt does not exist",
    next: 'correct tls.admin.certificate, or the file',
  })
})

test('a file that the deployment writes itself is not checked before the start', async () => {
  const environment = await makeEnvironment()
  const admin = {
    certificate: join(environment.run.path, 'a.crt'),
    key: join(environment.run.path, 'a.pem'),
  }
  expect(() => refuseBadFiles(withAdmin(environment, admin))).not.toThrow()
})
