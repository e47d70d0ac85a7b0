import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { presentSection } from './form.ts'
import { SECTIONS } from './sections.ts'

const folder = fileURLToPath(new URL('../../fixtures/adversarial/', import.meta.url))
const sections = Object.entries(SECTIONS).map(([file, make]) => [file, make()] as const)

test.each(sections)('%s equals the output of its generator', (file, section) => {
  expect(readFileSync(`${folder}${file}`, 'utf8') === presentSection(section)).toBe(true)
})

test('every file of adversarial evidence has a generator', () => {
  expect(new Set(readdirSync(folder))).toEqual(new Set(Object.keys(SECTIONS)))
})

test.each(sections)(
  'every variant of %s has a unique id that begins with its case',
  (_, { section, variants }) => {
    const prefix = section.toLowerCase().replace('.', '')
    for (const { id, case: number } of variants) {
      expect(id).toMatch(new RegExp(`^${prefix}-${number}-[a-z0-9-]+$`))
    }
    expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length)
  },
)

test.each(sections)('every variant of %s differs from a baseline of its file', (_, section) => {
  for (const { of, change } of section.variants) {
    const baseline = section.baselines[of] as Readonly<Record<string, unknown>>
    for (const one of [change].flat()) {
      expect(
        Object.entries(one).filter(([name, value]) => differ(baseline[name], value)),
      ).not.toEqual([])
    }
  }
})

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}
