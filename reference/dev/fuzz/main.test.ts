import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { StartFault } from '../../errors.ts'
import { entryOf } from './corpus.ts'
import { main } from './main.ts'
import { targetByName } from './targets.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

/** What a command writes, and the code it ends with. */
async function told(...words: readonly string[]) {
  const out: string[] = []
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0)
  return { code: await main(['fuzz', ...words, '--out', folder]), out: out.join('') }
}

test('a session says its seed, its runs and what it found', async () => {
  const { code, out } = await told('pcrs', '--seed', '7', '--runs', '60')
  expect(code).toBe(0)
  expect(out).toMatch(
    /^pcrs: seed 7, 60 runs in \d+\.\d s, \d+ a second, \d+ classes of outcomes, corpus \d+, \d+ inputs did something new, no findings\n$/,
  )
})

test('a run is judged alone, the same each time', async () => {
  const once = await told('policy', '--seed', '7', '--run', '12:40')
  expect(once.code).toBe(0)
  expect(once.out).toMatch(/^(?:pass|fail|refused)\n/)
  expect(await told('policy', '--seed', '7', '--run', '12:40')).toEqual(once)
})

test('an input is judged from its file', async () => {
  const target = targetByName('pcrs')
  const [honest] = target.honest
  if (!honest) throw new Error('no honest input')
  const input = { ...honest, blob: new Uint8Array(3) }
  const file = join(folder, 'input.json')
  writeFileSync(file, JSON.stringify(entryOf(target, input, { verdict: '', says: [] })))
  const { code, out } = await told('pcrs', '--input', file)
  expect(code).toBe(0)
  expect(out).toMatch(/^refused\n {2}WireError: PCR_BLOB/)
})

test.each([
  [['everything'], 'there is nothing called everything to fuzz'],
  [['quote', '--runs', 'many'], /it takes a whole number/],
  [['quote', '--run', '5:'], /it takes a run such as/],
  [['quote', '--input', 'no such file'], 'no such file holds no input of quote'],
  [[], /missing required argument/],
])('%s is refused with a sentence and a next step', async (words, sentence) => {
  const refused = await told(...words).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StartFault)
  expect(refused).toMatchObject({ next: expect.stringMatching(/.{10}/) })
  expect((refused as StartFault).message).toMatch(sentence)
})
