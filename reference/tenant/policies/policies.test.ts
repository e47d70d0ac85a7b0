import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUNTIME_POLICY, runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { tenantOfBoth } from '../testing/run-tenant.ts'

function file(text: string): string {
  const path = join(temporaryDirectory(), 'policy.json')
  writeFileSync(path, text)
  return path
}

const KINDS = [
  {
    ...{ add: 'addruntimepolicy', update: 'updateruntimepolicy', show: 'showruntimepolicy' },
    ...{ remove: 'deleteruntimepolicy', list: 'listruntimepolicies' },
    ...{ file: '--runtime-policy', name: '--runtime-policy-name' },
    ...{ first: RUNTIME_POLICY, second: runtimePolicy({ '/bin/a': ['11'.repeat(32)] }) },
  },
  {
    ...{ add: 'addmbpolicy', update: 'updatembpolicy', show: 'showmbpolicy' },
    ...{ remove: 'deletembpolicy', list: 'listmbpolicies' },
    ...{ file: '--mb-policy', name: '--mb-policy-name' },
    ...{ first: '{"has_secureboot":true}', second: '{"has_secureboot":false}' },
  },
] as const

test.each(KINDS)('$add, $show, $update, $list and $remove act on a real verifier', async (kind) => {
  const { say, sayJson } = await tenantOfBoth()
  const named = [kind.name, 'a b/ü'.replace('/', '-')] as const
  const first = [...named, kind.file, file(kind.first)]
  expect(await say(kind.add, ...first)).toMatchObject({ code: 0 })
  expect(await sayJson(kind.show, ...named)).toMatchObject({ result: { policy: kind.first } })
  expect(await say(kind.add, ...first)).toMatchObject({
    code: 1,
    err: expect.stringContaining('already exists [conflict]'),
  })
  expect(await say(kind.update, ...named, kind.file, file(kind.second))).toMatchObject({ code: 0 })
  expect((await say(kind.show, ...named)).out.trim()).toBe(kind.second)
  expect(await sayJson(kind.list)).toMatchObject({ result: { names: [named[1]] } })
  expect(await say(kind.remove, ...named)).toMatchObject({ code: 0 })
  expect(await say(kind.remove, ...named)).toMatchObject({ code: 1 })
  expect(await say(kind.list)).toMatchObject({ code: 0, out: expect.stringMatching(/^no /) })
})

test('a policy that was shown can be given back', async () => {
  const { say } = await tenantOfBoth()
  const words = ['--runtime-policy-name', 'p', '--runtime-policy'] as const
  await say('addruntimepolicy', ...words, file(RUNTIME_POLICY))
  const shown = await say('showruntimepolicy', '--runtime-policy-name', 'p')
  expect(await say('updateruntimepolicy', ...words, file(shown.out))).toMatchObject({ code: 0 })
})

test.each([
  [['addruntimepolicy'], 'which runtime policy?', /--runtime-policy-name NAME/],
  [['addruntimepolicy', '--runtime-policy-name', 'p'], 'what does the runtime policy say?', /FILE/],
  [['showmbpolicy'], 'which measured boot policy?', /--mb-policy-name NAME/],
  [
    ['addruntimepolicy', '--runtime-policy-name', 'p', '--runtime-policy', '/none'],
    '/none: there is no such file',
    /--runtime-policy FILE/,
  ],
])('the error for %j names what is missing', async (words, err, next) => {
  const { say } = await tenantOfBoth()
  expect(await say(...words)).toMatchObject({ code: 2, err, next: expect.stringMatching(next) })
})

test('a file that hashes to another sum is not sent', async () => {
  const { say } = await tenantOfBoth()
  const policy = ['--runtime-policy-name', 'p', '--runtime-policy', file(RUNTIME_POLICY)]
  const sum = ['--runtime-policy-checksum', '00'.repeat(32)]
  const said = await say('addruntimepolicy', ...policy, ...sum)
  expect(said).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^assay: .* hashes to [0-9a-f]{64}/),
  })
  expect((await say('listruntimepolicies')).out).toBe('no runtime policies\n')
})

test('the sum is that of the bytes of the file, with a byte order mark too', async () => {
  const { say } = await tenantOfBoth()
  const marked = `\u{feff}${RUNTIME_POLICY}`
  const sum = createHash('sha256').update(marked).digest('hex')
  const named = ['--runtime-policy-name', 'p', '--runtime-policy', file(marked)]
  const said = await say('addruntimepolicy', ...named, '--runtime-policy-checksum', sum)
  expect(said).toMatchObject({ code: 0 })
})

test('the error of the verifier for an invalid policy is passed on', async () => {
  const { say } = await tenantOfBoth()
  const said = await say(
    'addruntimepolicy',
    '--runtime-policy-name',
    'p',
    '--runtime-policy',
    file('{}'),
  )
  expect(said).toMatchObject({
    code: 1,
    err: expect.stringMatching(/refuses to add .*runtime.policy.*\[refused\]/s),
  })
})
