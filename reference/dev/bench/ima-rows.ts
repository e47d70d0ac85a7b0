import { hash } from 'node:crypto'
import { LineMemo } from '../../evidence/ima/list/line-memo.ts'
import { evaluateLongList, type LongList, makeLongList } from './long-list.ts'
import { type Row, turns } from './measure.ts'

const ENTRIES = 100_000

/** One-shot hashes of every entry's data, `times` over. */
function hashAll({ data }: LongList, times: number): void {
  for (let time = 0; time < times; time++) for (const each of data) hash('sha256', each, 'buffer')
}

function row(
  list: LongList,
  subject: string,
  hashes: number,
  ours: () => unknown,
  limit?: number,
): Row {
  const measured = turns(ours, () => hashAll(list, hashes), list.entries)
  const floor = hashes === 1 ? 'one crypto.hash' : `${hashes} crypto.hash`
  return { subject, unit: 'entry', floor, ...measured, ...(limit && { limit }) }
}

/** A list of 100,000 different files, from its bytes to the verdict, on one core. */
export function imaRows(): readonly Row[] {
  const list = makeLongList(ENTRIES)
  const known = new LineMemo()
  evaluateLongList(list, 'ascii', known)
  return [
    row(list, 'IMA list, text, never seen', 3, () => evaluateLongList(list, 'ascii'), 1.3),
    row(list, 'IMA list, binary, never seen', 3, () => evaluateLongList(list, 'binary'), 1.3),
    row(list, 'IMA list, text, being learned', 3, () =>
      evaluateLongList(list, 'ascii', new LineMemo()),
    ),
    row(
      list,
      'IMA list, text, every line known',
      1,
      () => evaluateLongList(list, 'ascii', known),
      1.5,
    ),
  ]
}
