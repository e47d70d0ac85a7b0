import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAULT_CODES } from './fault-codes.ts'

const FOLDERS = [
  './',
  '../target/',
  '../target/processes/',
  '../target/deployment/',
  '../preflight/',
  '../runner/',
  '../doctor/',
].map((folder) => new URL(folder, import.meta.url))

function sources(): string {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .filter((name) => name !== 'fault-codes.ts')
      .map((name) => new URL(name, folder)),
  )
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

test('every code is used by at least one fault', () => {
  const text = sources()
  expect(Object.keys(FAULT_CODES).filter((code) => !text.includes(`'${code}'`))).toEqual([])
})
