import { expect, test } from 'vitest'
import type { Answer, AnswerKind } from './answer.ts'
import { type Finding, ranked, SEVERITIES, severityOf } from './finding.ts'

const answer = (kind: AnswerKind): Answer => ({ kind, line: kind, text: '' })
const clean = () => []
const wrong = () => [{ id: 'nonce' as const, says: 'is over another nonce' }]

test.each<[AnswerKind, typeof wrong | typeof clean, string | undefined]>([
  ['passed', wrong, 'false pass'],
  ['passed', clean, undefined],
  ['failed', wrong, undefined],
  ['refused', wrong, undefined],
  ['busy', wrong, undefined],
  ['server error', clean, 'server error'],
  ['no answer', clean, 'hang'],
  ['crashed', clean, 'crash'],
  ['too large', clean, 'memory'],
])('evidence answered with %s amounts to what its contradictions say', (kind, says, severity) => {
  expect(severityOf(answer(kind), says)).toBe(severity)
})

function finding(severity: Finding['severity'], steps: number, body: string): Finding {
  const recipe = Array.from({ length: steps }, (_, at) => ({ mutation: `m.${at}`, draw: '0' }))
  return {
    schema: 'assay.fuzz-finding/1',
    ...{
      kind: 'quote',
      route: 'r',
      severity,
      seed: '1',
      run: 1,
      target: 't',
      sentence: 's',
      says: [],
    },
    ...{ shots: [{ recipe, body }], answer: answer('passed'), times: 1 },
  }
}

test('a false pass comes first, then a lost service, a crash, a server error, a hang', () => {
  const all = SEVERITIES.toReversed().map((severity) => finding(severity, 1, 'b'))
  expect(ranked(all).map(({ severity }) => severity)).toEqual([
    'false pass',
    'lost service',
    'crash',
    'server error',
    'hang',
    'memory',
    'changed answer',
  ])
})

test('of equals the one with fewer steps comes first, then the shorter one', () => {
  const all = [finding('hang', 2, 'b'), finding('hang', 1, 'bbb'), finding('hang', 1, 'b')]
  expect(ranked(all)).toEqual([all[2], all[1], all[0]])
})
