import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Table from 'cli-table3'
import { LineMemo } from '../../evidence/ima/list/line-memo.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { developmentProgram } from '../testing/development-program.ts'
import { evaluateLongList, makeLongList, provenPcr10 } from './long-list.ts'

/** The highest ratio of growth to list, for lists so long that the growth of any process does not count. */
const LIMIT = 3
const LIMITED_ENTRIES = 100_000

/** So many entries are evaluated before those that are measured, and at least so many are measured. */
const WARM_ENTRIES = 100_000

/** The input of the measuring process: files, so that its memory holds nothing of their creation. */
interface MeasureOrder {
  readonly entries: number
  readonly list: string
  readonly policy: string
  readonly pcr: string
  readonly remember: boolean
}

const MARK = 'evaluation begins at'
const END = 'evaluation ends'
const COST = /an entry costs ([\d.]+)/

/** Evaluates the list in a process of its own that traces its collections, and marks the start; then prints its cost. */
function measure({ entries, list, policy, pcr, remember }: MeasureOrder): void {
  const evidence = { format: 'ascii', bytes: readFileSync(list), startingOffset: 0 } as const
  const subject = {
    entries,
    evidence: { ascii: evidence, binary: evidence },
    policy: parseRuntimePolicy(readFileSync(policy, 'utf8')),
    verified: provenPcr10(new Uint8Array(Buffer.from(pcr, 'hex'))),
  }
  const memo = remember ? new LineMemo() : undefined
  global.gc?.()
  console.log(`${MARK} ${process.memoryUsage().heapUsed / 2 ** 20}`)
  evaluateLongList(subject, 'ascii', memo)
  global.gc?.()
  console.log(END)
  const times = Math.ceil(WARM_ENTRIES / entries)
  const repeat = () => {
    for (let time = 0; time < times; time++)
      evaluateLongList(subject, 'ascii', remember ? new LineMemo() : undefined)
  }
  repeat()
  const before = process.cpuUsage()
  repeat()
  const { user, system } = process.cpuUsage(before)
  console.log(`an entry costs ${(user + system) / (times * entries)}`)
}

interface Measured {
  /** By how many bytes the heap outgrows its beginning at most, garbage that is not collected yet included. */
  readonly grown: number
  /** Microseconds of CPU for an entry, in a process that has evaluated as many before. */
  readonly perEntry: number
}

function measureApart(order: MeasureOrder): Measured {
  const self = developmentProgram('reference/dev/bench/ima-memory.ts')
  const words = ['--expose-gc', '--trace-gc', ...self, JSON.stringify(order)]
  const child = spawnSync(process.execPath, words, { encoding: 'utf8' })
  const [, after = '', later = ''] = child.stdout.split(new RegExp(`${MARK}|${END}`))
  const sizes = [...after.matchAll(/ ([\d.]+) \([\d.]+\) -> /g)].map(([, size]) => Number(size))
  if (child.status !== 0 || sizes.length === 0)
    throw new Error(`measuring memory failed: ${child.stderr}`)
  const grown = (Math.max(...sizes) - Number.parseFloat(after)) * 2 ** 20
  return { grown, perEntry: Number(COST.exec(later)?.[1]) }
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

/** Memory and CPU for evaluating so many entries, beyond the list and the policy. */
function rowsOf(entries: number, directory: string): string[][] {
  const { evidence, policyText, pcr } = makeLongList(entries)
  const size = evidence.ascii.bytes.length
  const files = { list: join(directory, 'list'), policy: join(directory, 'policy.json') }
  writeFileSync(files.list, evidence.ascii.bytes)
  writeFileSync(files.policy, policyText)
  return [false, true].map((remember) => {
    const order = { entries, ...files, pcr: Buffer.from(pcr).toString('hex'), remember }
    const { grown, perEntry } = measureApart(order)
    const isExceeded = entries >= LIMITED_ENTRIES && grown > LIMIT * size
    if (isExceeded) process.exitCode = 1
    const limit = isExceeded ? `${LIMIT.toFixed(2)} exceeded` : LIMIT.toFixed(2)
    const subject = `${entries} entries, text, ${remember ? 'being learned' : 'never seen'}`
    return [subject, perEntry.toFixed(2), mega(size), mega(grown), (grown / size).toFixed(2), limit]
  })
}

/** `node --expose-gc bin/dev.js reference/dev/bench/ima-memory.ts [entries ...]`: default: 100,000. */
const [order = '100000', ...more] = process.argv.slice(2)
if (order.startsWith('{')) measure(JSON.parse(order))
else {
  const directory = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const head = ['IMA list', 'CPU µs an entry', 'list MB', 'grows by MB', 'ratio', 'limit']
    const table = new Table({ head })
    for (const entries of [order, ...more]) table.push(...rowsOf(Number(entries), directory))
    console.log(table.toString())
  } finally {
    rmSync(directory, { recursive: true })
  }
}
