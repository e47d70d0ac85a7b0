import { expect, test } from 'vitest'
import { compareDialects } from './preflight-probes.ts'

const accepting =
  (...names: readonly string[]) =>
  (name: string) =>
    Promise.resolve(names.includes(name))

test('a deployment that accepts the dialect of its target file is in order', async () => {
  expect((await compareDialects('document', accepting('document'))).verdict).toBe('accepted')
})

test('a deployment that accepts only another dialect has a wrong target file, and the finding names the dialect', async () => {
  expect(await compareDialects('document', accepting('keylime'))).toEqual({
    verdict: 'rejected',
    detail: 'the deployment rejects the dialect document, and accepts keylime',
    next: 'write dialect: keylime in the target file',
    suggests: 'keylime',
  })
})

test('a deployment that accepts no dialect is tested anyway', async () => {
  expect((await compareDialects('document', accepting())).verdict).toBe('unclear')
})
