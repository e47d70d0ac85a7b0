import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { composeVerifier } from '../compose-verifier.ts'
import { SHIPPED_PARTS } from '../parts.ts'

const FILES = 10_000

/** A policy of about a megabyte, in base64. */
function largePolicy(): string {
  const files = Array.from({ length: FILES }, (_, number) => {
    const digest = number.toString(16).padStart(64, '0')
    return [`/usr/lib/package/module-${number}.so`, [digest]] as const
  })
  return Buffer.from(runtimePolicy(Object.fromEntries(files))).toString('base64')
}

/** A verifier in which every client is an administrator, and a promise that resolves when it begins to read an upload. */
async function uploadTo() {
  const settings = ['log_level=silent', `state_dir=${temporaryDirectory()}`]
  const config = loadConfig('verifier', undefined, settings)
  let began = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    began = resolve
  })
  const readPolicyUpload: typeof SHIPPED_PARTS.readPolicyUpload = (evaluator) => (upload) => {
    const read = SHIPPED_PARTS.readPolicyUpload(evaluator)(upload)
    began()
    return read
  }
  const parts = { ...SHIPPED_PARTS, administratorOf: () => 'client', readPolicyUpload }
  const verifier = await composeVerifier(config, parts)
  onTestFinished(() => verifier.close())
  return { server: verifier.server, begun }
}

test('others are answered while a large policy is read', async () => {
  const { server, begun } = await uploadTo()
  const answered: string[] = []
  const payload = { runtime_policy: largePolicy() }
  const upload = server
    .inject({ method: 'POST', url: '/v2.5/allowlists/large', payload })
    .then(({ statusCode }) => answered.push(`upload ${statusCode}`))
  await begun
  for (let count = 0; count < 20; count++)
    answered.push(`other ${(await server.inject({ method: 'GET', url: '/version' })).statusCode}`)
  await upload
  expect(answered).toEqual([...Array(20).fill('other 200'), 'upload 200'])
})
