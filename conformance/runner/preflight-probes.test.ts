import { expect, test } from 'vitest'
import { compareDialects } from './preflight-probes.ts'

const accepting =
  (...names: readonly string[]) =>
  (name: string) =>
    Promise.resolve(names.includes(name) ? undefined : 'registration gave HTTP 404')

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

test('a deployment that accepts no dialect is tested anyway, and the finding says which step failed', async () => {
  const { verdict, detail } = await compareDialects('document', accepting())
  expect(verdict).toBe('unclear')
  expect(detail).toContain('registration gave HTTP 404')
})
