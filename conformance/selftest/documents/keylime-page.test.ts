import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answersOf } from '../../doctor/keylime/answers.ts'
import { COMPONENTS } from '../../doctor/keylime/read-settings.ts'
import { packageRoot } from '../../input/package-root.ts'
import { keylimePage, loadKeylimeOptions } from './keylime-page.ts'

test('docs/keylime-configuration.md has every option of the table; npm run docs prints it', () => {
  const page = readFileSync(join(packageRoot(), 'docs', 'keylime-configuration.md'), 'utf8')
  expect(page).toBe(keylimePage())
})

test('each option is in the table once, with a key that takes it or a reason', () => {
  for (const [section, rows] of loadKeylimeOptions()) {
    const options = rows.flatMap(({ options: names }) => names)
    expect(options, section).toHaveLength(new Set(options).size)
    for (const { becomes, why } of rows)
      expect([becomes, why].filter((one) => one !== undefined)).toHaveLength(1)
  }
})

test('assay init asks for the options that the table says are taken, and for no other', () => {
  const asked = new Set<string>()
  const empty = (component: (typeof COMPONENTS)[number]) => ({
    [component]: { component, files: [], options: new Map() },
  })
  // Alone each is asked for all that it can answer; together the tenant's file has precedence.
  for (const component of COMPONENTS)
    for (const option of answersOf(empty(component), '/var/lib/keylime').asked) asked.add(option)
  const taken = COMPONENTS.flatMap((section) =>
    (loadKeylimeOptions().get(section) ?? [])
      .filter(({ becomes }) => becomes !== undefined)
      .flatMap(({ options }) => options.map((option) => `${section}.${option}`)),
  )
  expect([...asked].sort()).toEqual(taken.sort())
})
