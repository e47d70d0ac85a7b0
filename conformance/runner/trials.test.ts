import { expect, test } from 'vitest'
import { compareDialects } from './trials.ts'

const speaking =
  (...names: readonly string[]) =>
  (name: string) =>
    Promise.resolve(names.includes(name))

test('a deployment that understands the dialect of its target file is in order', async () => {
  expect((await compareDialects('document', speaking('document'))).verdict).toBe('spoken')
})

test('one that understands only another dialect has a wrong target file, and is told which', async () => {
  expect(await compareDialects('document', speaking('keylime'))).toEqual({
    verdict: 'refused',
    detail: 'the deployment does not understand the dialect document, and does understand keylime',
    next: 'write dialect: keylime in the target file',
    suggests: 'keylime',
  })
})

test('one that understands none is not refused: it is judged', async () => {
  expect((await compareDialects('document', speaking())).verdict).toBe('unclear')
})
