import { expect, test, vi } from 'vitest'
import { main } from './cli.ts'

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

test('a pattern that lists nothing is refused, with one that does', async () => {
  await expect(main(['list', '--only', 'push.evidence'])).rejects.toMatchObject({
    sentence: 'no scenario matches --only push.evidence',
    next: expect.stringMatching(/^--only 'push\.evidence\.\*' selects \d+ scenarios$/),
  })
})
