import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { instrument } from './instrument.ts'

const SOURCE = `
export const isAdult = (age: number) => age >= 18
export function refuse(): never {
  throw new Error('this text is for people')
}
export const read = (reader: Reader) => reader.field('.age', () => reader.u8())
`

function folderOf(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-instrument-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'age.ts'), source)
  return folder
}

/** What the function of the changed text says of an age while a mutant is active. */
async function isAdult(text: string, age: number, active?: string): Promise<boolean> {
  const { code } = await transform(text, { loader: 'ts', format: 'cjs' })
  const exports = {}
  const scope = { exports }
  const globals = globalThis as { __stryker__?: { activeMutant?: string | undefined } }
  globals.__stryker__ = { activeMutant: active }
  onTestFinished(() => void delete globals.__stryker__)
  new Function('module', 'exports', code)(scope, exports)
  return (scope.exports as { readonly isAdult: (age: number) => boolean }).isAdult(age)
}

test('the text behaves like the source until a mutant is active', async () => {
  const { text, mutants } = await instrument(folderOf(SOURCE), 'age.ts', 100)
  const off = mutants.find(({ replacement }) => replacement === 'age > 18')
  expect(off).toMatchObject({ file: 'age.ts', line: 2, original: 'age >= 18' })
  expect(await isAdult(text, 18)).toBe(true)
  expect(await isAdult(text, 18, off?.active)).toBe(false)
  expect(await isAdult(text, 19, off?.active)).toBe(true)
})

test('mutants are numbered from the given number', async () => {
  const { mutants } = await instrument(folderOf(SOURCE), 'age.ts', 100)
  expect(mutants.map(({ active }) => active)).toEqual(mutants.map((_, at) => String(100 + at)))
})

test('texts for people, and names of fields in messages, have no mutants', async () => {
  const { mutants } = await instrument(folderOf(SOURCE), 'age.ts', 0)
  expect(mutants.filter(({ operator }) => operator === 'StringLiteral')).toEqual([])
})

test('a key stays the same when lines are added above, and differs between equal lines', async () => {
  const twice = `${SOURCE}\nexport const isAdultToo = (age: number) => age >= 18\n`
  const before = await instrument(folderOf(SOURCE), 'age.ts', 0)
  const after = await instrument(folderOf(`// a comment\n\n${twice}`), 'age.ts', 0)
  const keys = after.mutants.map(({ key }) => key)
  for (const { key } of before.mutants) expect(keys).toContain(key)
  expect(new Set(keys).size).toBe(keys.length)
})
