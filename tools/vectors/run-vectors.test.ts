import { expect, test } from 'vitest'
import { presentResults } from './present-vectors.ts'
import { runVectors } from './run-vectors.ts'
import { adapterThat, SMALL } from './testing/small-group.ts'
import type { VectorGroup } from './vector.ts'

const printing = (line: string) => adapterThat(`console.log(${JSON.stringify(line)})`)

const outcomesOf = async (command: readonly string[] | string) =>
  (await runVectors(command, [SMALL])).map(({ outcome }) => outcome)

test.each([
  ['accepts everything', '{"valid":true}', ['agrees', 'differs', 'agrees']],
  ['accepts everything with 1', '{"valid":1}', ['agrees', 'differs', 'agrees']],
  ['rejects everything', '{"valid":false,"failures":[]}', ['differs', 'agrees', 'agrees']],
  ['reads nothing', '{"error":"no"}', ['differs', 'agrees', 'agrees']],
  ['supports nothing', '{"skip":"no logs"}', ['not judged', 'not judged', 'not judged']],
])('an adapter that %s', async (_, line, expected) => {
  expect(await outcomesOf(printing(line))).toEqual(expected)
})

test('a line that says neither yes nor no is no answer', async () => {
  const adapter = adapterThat(`console.log(line.includes('small-bad') ? 'no' : '{"valid":true}')`)
  const results = await runVectors(adapter, [SMALL])
  expect(results[1]).toMatchObject({ answered: 'no answer', outcome: 'differs', answer: 'no' })
})

test('what only an unread policy forbids is not judged', async () => {
  const vectors = SMALL.vectors.map((vector) => ({ ...vector, policy: 'mb_policy' as const }))
  const answeredTo = async (unread: readonly string[]) => {
    const adapter = printing(JSON.stringify({ valid: true, unread }))
    const results = await runVectors(adapter, [{ ...SMALL, vectors }])
    return results[1]?.outcome
  }
  expect(await answeredTo(['mb_policy', 'tpm_policy'])).toBe('not judged')
  expect(await answeredTo(['tpm_policy'])).toBe('differs')
})

test('an adapter that ends at the second vector differs there, with its exit code', async () => {
  const adapter = adapterThat(`const { id } = JSON.parse(line)
    if (id === 'small-bad') { console.error('no such nonce'); process.exit(3) }
    console.log(JSON.stringify({ id, valid: true }))`)
  const results = await runVectors(adapter, [SMALL])
  expect(results.map(({ answered }) => answered)).toEqual(['valid', 'no answer', 'valid'])
  expect(results[1]?.answer).toBe('ended with exit code 3: no such nonce')
})

test('an adapter that never answers one vector differs there', async () => {
  const adapter = adapterThat(
    `if (JSON.parse(line).id !== 'small-open') console.log('{"valid":true}')`,
  )
  const results = await runVectors(adapter, [SMALL], { deadlineMs: 300 })
  expect(results.map(({ answered }) => answered)).toEqual(['valid', 'valid', 'no answer'])
})

test('an answer that changes from one round to the next is unstable', async () => {
  const adapter = adapterThat(`console.log(JSON.stringify({ valid: n < 4 }))`)
  const results = await runVectors(adapter, [SMALL], { rounds: 2 })
  expect(results.map(({ answered, outcome }) => `${answered}: ${outcome}`)).toEqual([
    'unstable: differs',
    'unstable: differs',
    'unstable: differs',
  ])
})

const many: VectorGroup = {
  ...SMALL,
  vectors: Array.from({ length: 40 }, (_, at) => ({
    ...{ id: `many-${at}`, comment: 'Nothing is changed.' },
    ...{ requirements: [], expected: 'valid' as const, body: {} },
  })),
}

test('two processes of an adapter share the vectors, and each answer goes to its vector', async () => {
  const adapter = adapterThat(`const { id } = JSON.parse(line)
    console.log(JSON.stringify({ id, valid: true, n }))`)
  const results = await runVectors(adapter, [many], { jobs: 2 })
  // Each process is given the first vector once before, which is its line 0.
  const answers = results.map(({ answer }) => JSON.parse(answer))
  expect(answers.map(({ id }) => id)).toEqual(many.vectors.map(({ id }) => id))
  expect(answers.map(({ n }) => n)).toEqual(answers.map((_, at) => 1 + Math.floor(at / 2)))
})

test.each([
  [
    'cannot be started',
    [SMALL],
    ['/nowhere/at-all'],
    /the adapter cannot be used: it cannot be started: .*\/nowhere\/at-all/,
  ],
  [
    'is no command of the shell',
    [SMALL],
    'nowhere-at-all --fast',
    /the adapter cannot be used: it ended with exit code 127: .*nowhere-at-all/,
  ],
  [
    'ends before its first answer',
    [SMALL],
    adapterThat(`console.error('no key'); process.exit(4)`),
    /the adapter cannot be used: it ended with exit code 4: no key/,
  ],
  [
    'ends after its first answer each time',
    [many],
    adapterThat(`if (n > 0) process.exit(5); console.log('{"valid":true}')`),
    /the adapter answered none of the first 5 vectors; .*ended with exit code 5/,
  ],
  [
    'repeats the lines of its input',
    [SMALL],
    adapterThat('console.log(line)'),
    /no line of the adapter is an answer; the first is \{"id":"small-good","nonce":"a"\}/,
  ],
  [
    'prints no JSON',
    [SMALL],
    printing('valid'),
    /no line of the adapter is an answer; the first is valid$/,
  ],
  [
    'prints a line before its answers',
    [SMALL],
    adapterThat(`if (n === 0) console.log('ready'); console.log('{"valid":true}')`),
    /the adapter cannot be used: it answers more lines than it is given/,
  ],
  [
    'answers each line twice',
    [SMALL],
    adapterThat(`console.log('{"valid":true}'); console.log('{"valid":true}')`),
    /the adapter cannot be used: it answers more lines than it is given/,
  ],
  [
    'answers in another order',
    [SMALL],
    adapterThat(`const { id } = JSON.parse(line)
      const other = { 'small-good': 'small-good', 'small-bad': 'small-open', 'small-open': 'small-bad' }
      console.log(JSON.stringify({ id: other[id], valid: true }))`),
    /the adapter answered "small-open" where the answer to "small-bad" is due/,
  ],
  [
    'prints a line without an end',
    [SMALL],
    adapterThat(`const more = () => process.stdout.write('x'.repeat(1 << 20), more); more()`),
    /the adapter cannot be used: it was ended by SIGKILL: it printed a line of more than \d+ characters/,
  ],
] as const)('an adapter that %s cannot be used', async (_, groups, command, sentence) => {
  await expect(runVectors(command, groups)).rejects.toMatchObject({
    name: 'SetupFault',
    message: expect.stringMatching(sentence),
    next: expect.stringMatching(/./),
  })
})

test('a difference is shown with its change, its flaw, the requirement and the answer', async () => {
  const shown = presentResults(await runVectors(printing('{"valid":true}'), [SMALL]), [SMALL])
  expect(shown).toContain('small-bad: expected invalid (malformed), answered valid')
  expect(shown).toContain(`    The nonce is another.
    flaw case-1: A letter is missing
    VER-EVIDENCE-VALID: Evidence is valid
    {"valid":true}`)
})
