import { dirname } from 'node:path'
import type { Judgement } from './judge.ts'

interface Scored {
  readonly key: string
  readonly file: string
  readonly operator: string
}

/** A table of what was caught, by folder and by operator. */
export function presentScore(
  mutants: readonly Scored[],
  judgementOf: (key: string) => Judgement | undefined,
): string {
  const judged = mutants.flatMap((mutant) => {
    const judgement = judgementOf(mutant.key)
    return judgement === undefined ? [] : [{ ...mutant, ...judgement }]
  })
  const table = (nameOf: (mutant: Scored) => string) => {
    const names = [...new Set(judged.map(nameOf))].sort()
    return names.map((name) =>
      lineOf(
        name,
        judged.filter((one) => nameOf(one) === name),
      ),
    )
  }
  return [
    'area or operator: judged, caught, warned, survived, not reached',
    ...table(({ file }) => dirname(file)),
    ...table(({ operator }) => operator),
    lineOf('all', judged),
  ].join('\n')
}

function lineOf(name: string, judged: readonly Judgement[]): string {
  const count = (outcome: Judgement['outcome']) =>
    judged.filter((one) => one.outcome === outcome).length
  const caught = count('caught')
  const share = ((100 * caught) / Math.max(judged.length, 1)).toFixed(1)
  const others = (['warned', 'survived', 'not reached'] as const).map(count)
  return [name.padEnd(40), judged.length, caught, ...others, `${share} %`].join('  ')
}
