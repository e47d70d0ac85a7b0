import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test, vi } from 'vitest'
import { main } from './cli.ts'
import { packageRoot } from './input/package-root.ts'

/** What a verb prints. */
async function outputOf(...argv: readonly string[]): Promise<string> {
  const written: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  try {
    expect(await main(argv)).toBe(0)
    return written.join('')
  } finally {
    spy.mockRestore()
  }
}

test('list --json has the requirements of each scenario', async () => {
  const { schema, scenarios } = JSON.parse(
    await outputOf('list', '--json', '--only', 'push.evidence.accepted'),
  )
  expect(schema).toBe('assay.list/1')
  expect(scenarios).toEqual([
    expect.objectContaining({
      id: 'push.evidence.accepted',
      requirements: expect.arrayContaining(['ATT-EVALUATION-PASS']),
    }),
  ])
})

/** A published schema of reports/schema. */
function loadSchema(name: string): object {
  return JSON.parse(readFileSync(join(packageRoot(), 'reports', 'schema', name), 'utf8'))
}

test('list --json is valid by its published schema, which refuses other shapes', async () => {
  const ajv = new Ajv2020({ strict: true })
  ajv.addSchema(loadSchema('result.schema.json'))
  const isValid = ajv.compile(loadSchema('list.schema.json'))
  const listed = JSON.parse(await outputOf('list', '--json'))
  expect([isValid(listed), isValid.errors]).toEqual([true, null])
  const ids = new Set(listed.scenarios.map(({ id }: { id: string }) => id))
  const twins = listed.scenarios.flatMap(
    ({ variant_of }: { variant_of?: string }) => variant_of ?? [],
  )
  expect(twins.filter((id: string) => !ids.has(id))).toEqual([])
  const [first] = listed.scenarios
  for (const change of [{ role: 'server' }, { requirements: [] }, { since: 2.5 }, { more: 1 }])
    expect(isValid({ ...listed, scenarios: [{ ...first, ...change }] })).toBe(false)
})

test('a pattern that lists nothing is refused, with one that does', async () => {
  await expect(main(['list', '--only', 'push.evidence'])).rejects.toMatchObject({
    sentence: 'no scenario matches --only push.evidence',
    next: expect.stringMatching(/^--only 'push\.evidence\.\*' selects \d+ scenarios$/),
  })
})
