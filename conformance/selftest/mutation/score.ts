import { dirname } from 'node:path'
import type { Judgement } from './judge.ts'

interface Scored {
  readonly key: string
  readonly file: string
  readonly operator: string
  readonly rows?: readonly string[]
  readonly open?: string
}

/** A table of what was caught, by folder and by operator. */
export function presentScore(
  mutants: readonly Scored[],
  judgementOf: (key: string) => Judgement | undefined,
): string {
  const judged = mutants.flatMap((mutant) => {
    const judgement = judgementOf(mutant.key)
    if (judgement === undefined || mutant.open !== undefined) return []
    const isRight = mutant.rows?.includes(judgement.requirement ?? '')
    return [{ ...mutant, ...judgement, isRight }]
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
    'area or operator: judged, caught (at the right row), warned, survived, not reached',
    ...table(({ file }) => dirname(file)),
    ...table(({ operator }) => familyOf(operator)),
    lineOf('all', judged),
  ].join('\n')
}

/** `bytes` of `bytes.prefix`; the singular and the plural are one family. */
function familyOf(operator: string): string {
  const [family = ''] = operator.split('.')
  return family === family.toLowerCase() ? family.replace(/s$/, '') : family
}

function lineOf(
  name: string,
  judged: readonly (Judgement & { isRight?: boolean | undefined })[],
): string {
  const count = (outcome: Judgement['outcome']) =>
    judged.filter((one) => one.outcome === outcome).length
  const caught = count('caught')
  const share = ((100 * caught) / Math.max(judged.length, 1)).toFixed(1)
  const others = (['warned', 'survived', 'not reached'] as const).map(count)
  const right = judged.filter((one) => one.outcome === 'caught' && one.isRight).length
  return [name.padEnd(40), judged.length, `${caught} (${right})`, ...others, `${share} %`].join(
    '  ',
  )
}
