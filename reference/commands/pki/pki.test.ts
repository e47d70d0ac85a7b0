import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeVerifier } from '../../compose/compose-verifier.ts'
import { SHIPPED_PARTS } from '../../compose/parts.ts'
import { loadConfig } from '../../config/config.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { pkiMain } from './pki.ts'

/** Port and TLS directory of a verifier that ends with the test. */
async function running(): Promise<{ port: number; directory: string }> {
  const state_dir = temporaryDirectory()
  const settings = ['log_level=silent', 'database=:memory:', `state_dir=${state_dir}`]
  const verifier = await composeVerifier(loadConfig('verifier', undefined, settings), SHIPPED_PARTS)
  onTestFinished(() => verifier.close())
  await verifier.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = verifier.server.server.address() as AddressInfo
  return { port, directory: join(state_dir, 'cv_ca') }
}

test('the holder of a package is an administrator of the running verifier', async () => {
  const { port, directory } = await running()
  const out = temporaryDirectory()
  const file = join(out, 'bob.tar')
  let said = ''
  const write = (text: string) => {
    said += text
  }
  expect(
    await pkiMain(['admin', 'Bob', '--package', file, '--tls-dir', directory], { write }),
  ).toBe(0)
  expect(said).toContain(`${file} makes Bob an administrator`)
  expect(said).not.toContain('PRIVATE KEY')
  execFileSync('tar', ['-xf', file, '-C', out])
  const read = (name: string) => readFileSync(join(out, 'bob', name))
  const asked = request({
    ...{ host: '127.0.0.1', port, path: '/v2.5/agents/', agent: false },
    ...{ ca: read('cacert.crt'), cert: read('client-cert.crt'), key: read('client-private.pem') },
  })
  asked.end()
  const [reply] = await once(asked, 'response')
  expect(reply.statusCode).not.toBe(403)
  expect(reply.statusCode).toBeLessThan(500)
})

test.each([
  [[], 'what shall pki do?'],
  [['user', 'x'], "unknown command 'user'"],
  [['admin', '--package', 'p'], "missing required argument 'name'"],
  [['admin', 'x'], "required option '--package <file>' not specified"],
  [['admin', 'x', '--package', 'p', '--days', '0'], /^--days is "0": it takes/],
  [['admin', 'x', '--package', 'p', '--days', '3651'], /^--days is "3651": it takes/],
  [['admin', 'x', '--package', 'p', '--tls-dir', '/nowhere'], /cacert.crt is missing$/],
])('%j is refused with the reason', async (argv, sentence) => {
  const written: string[] = []
  await expect(pkiMain(argv, { write: (text) => written.push(text) })).rejects.toMatchObject({
    sentence: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  })
  expect(written).toEqual([])
})
