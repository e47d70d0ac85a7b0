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
import { type Bench, makeBench } from '../target/testing/test-deployment.ts'
import type { Issued } from '../target/testing/test-support.ts'
import { preflight } from './preflight.ts'

/** An HTTPS server of this very process, as something that already runs somewhere. */
async function serve(bench: Bench, more: ServerOptions = {}): Promise<string> {
  const { certificate, key } = await bench.ca.issue('server')
  const files = { cert: readFileSync(certificate), key: readFileSync(key) }
  const server = createServer({ ...files, ...more }, (_, reply) => reply.writeHead(200).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function check(bench: Bench, url: string, admin?: Issued): Promise<readonly SetupStep[]> {
  const target = bench.target([{ role: 'verifier', url }])
  const changed = admin === undefined ? target : { ...target, tls: { ...target.tls, admin } }
  const deployment = {
    roles: {},
    pids: {},
    steps: [],
    casualty: () => undefined,
    restart: async () => undefined,
    stop: async () => undefined,
  }
  return await preflight(changed, deployment)
}

test('a target in order passes every step', async () => {
  const bench = await makeBench()
  const steps = await check(bench, await serve(bench))
  expect(steps.map(({ what, ok }) => [what, ok])).toEqual([
    ['CA certificate', true],
    ['admin certificate', true],
    ['admin key', true],
    ['verifier answers', true],
    ['clock of verifier', true],
    ["verifier takes the administrator's certificate", true],
    ['versions of verifier', true],
    ['push endpoints', true],
  ])
})

test('the steps say what was seen', async () => {
  const bench = await makeBench()
  const url = await serve(bench)
  const details = (await check(bench, url)).map(({ detail }) => detail)
  expect(details[1]).toMatch(/^valid to .* GMT; extended key usage clientAuth$/)
  expect(details[3]).toContain(
    `${url}/version answers 200 over TLSv1.3; server certificate valid to `,
  )
})

test('a server that wants a certificate from every client has answered', async () => {
  const bench = await makeBench()
  const url = await serve(bench, { requestCert: true, ca: readFileSync(bench.ca.file) })
  const steps = await check(bench, url)
  expect(steps[3]?.detail).toContain('asks every client for a certificate')
})

test('where nothing listens, the two ways out are told', async () => {
  const bench = await makeBench()
  await expect(check(bench, 'https://127.0.0.1:1')).rejects.toMatchObject({
    sentence: 'nothing listens at https://127.0.0.1:1',
    next: 'start the deployment, or add roles.verifier.start to my.target.yaml',
  })
})

test('a role that has died since its start is told by its last words', async () => {
  const bench = await makeBench()
  const target = bench.target([await bench.served('verifier')])
  const deployment = await startDeployment(target, bench.run)
  const casualty = () => 'verifier exited with code 1 during the run: bye'
  await expect(preflight(target, { ...deployment, casualty })).rejects.toMatchObject({
    sentence: casualty(),
  })
})

test('a failing step is told before it is thrown', async () => {
  const bench = await makeBench()
  const seen: SetupStep[] = []
  const target = bench.target([{ role: 'verifier', url: 'https://127.0.0.1:1' }])
  const deployment = await startDeployment(target, bench.run)
  const onStep = (step: SetupStep) => seen.push(step)
  await expect(preflight(target, deployment, { onStep })).rejects.toThrow('nothing listens')
  expect(seen.at(-1)).toMatchObject({ what: 'verifier answers', ok: false })
})

/** A target whose administrator is `admin`. */
function withAdmin(bench: Bench, admin: Issued): Target {
  const target = bench.target([])
  return { ...target, tls: { ...target.tls, admin } }
}

test('an administrator with clientAuth is accepted', async () => {
  const bench = await makeBench()
  const admin = await bench.ca.issue('other-admin', { usages: ['clientAuth', 'serverAuth'] })
  expect(() => refuseBadFiles(withAdmin(bench, admin))).not.toThrow()
})

test('an administrator without clientAuth is refused', async () => {
  const bench = await makeBench()
  const admin = await bench.ca.issue('other-admin', { usages: ['serverAuth'] })
  expect(() => refuseBadFiles(withAdmin(bench, admin))).toThrow(
    `the administrator's certificate ${admin.certificate} is not for clients: its extended key usage lacks clientAuth`,
  )
})

test('an administrator without any extended key usage is accepted with a warning', async () => {
  const bench = await makeBench()
  const admin = await bench.ca.issue('other-admin')
  const steps = await check(bench, await serve(bench), admin)
  expect(steps[1]?.detail).toMatch(/^warning: .*; it has no extended key usage/)
})

test('an expired administrator is refused', async () => {
  const bench = await makeBench()
  const admin = await bench.ca.issue('other-admin', { usages: ['clientAuth'], from: -3, to: -2 })
  expect(() => refuseBadFiles(withAdmin(bench, admin))).toThrow(/other-admin\.crt expired on /)
})

test('an administrator of tomorrow is refused', async () => {
  const bench = await makeBench()
  const admin = await bench.ca.issue('other-admin', { usages: ['clientAuth'], from: 1, to: 2 })
  expect(() => refuseBadFiles(withAdmin(bench, admin))).toThrow(
    /other-admin\.crt is valid only from /,
  )
})

test('a key that belongs to another certificate is refused', async () => {
  const bench = await makeBench()
  const { key } = await bench.ca.issue('somebody-else')
  const admin = { ...bench.target([]).tls.admin, key }
  expect(() => refuseBadFiles(withAdmin(bench, admin))).toThrow(
    `the administrator's key ${key} does not belong to the certificate ${admin.certificate}`,
  )
})

test.each([
  ['certificate', 'no PEM certificate', "the administrator's certificate"],
  ['key', 'no PEM private key', "the administrator's key"],
] as const)('a %s file that is something else is refused', async (which, says, what) => {
  const bench = await makeBench()
  const file = join(bench.directory, 'nonsense')
  writeFileSync(file, 'nonsense')
  const admin = { ...bench.target([]).tls.admin, [which]: file }
  expect(() => refuseBadFiles(withAdmin(bench, admin))).toThrow(`${what} ${file} holds ${says}`)
})

test('a file that is not there is refused with its place in the target file', async () => {
  const bench = await makeBench()
  const target = withAdmin(bench, { certificate: '/nowhere.crt', key: '/nowhere.pem' })
  await expect(startDeployment(target, bench.run)).rejects.toMatchObject({
    sentence: "the administrator's certificate /nowhere.crt is not there",
    next: 'correct tls.admin.certificate, or the file',
  })
})

test('a file that the deployment will write is not asked for before the start', async () => {
  const bench = await makeBench()
  const admin = { certificate: join(bench.run.path, 'a.crt'), key: join(bench.run.path, 'a.pem') }
  expect(() => refuseBadFiles(withAdmin(bench, admin))).not.toThrow()
})
