import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Table from 'cli-table3'
import { LineMemo } from '../../evidence/ima/list/line-memo.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { developmentProgram } from '../testing/development-program.ts'
import { evaluateLongList, makeLongList, provenPcr10 } from './long-list.ts'

const ENTRIES = 100_000
const LIMIT = 3

/** The input of the measuring process: files, so that its memory holds nothing of their creation. */
interface MeasureOrder {
  readonly list: string
  readonly policy: string
  readonly pcr: string
  readonly remember: boolean
}

const MARK = 'evaluation begins at'

/** Evaluates the list in a process of its own that traces its collections, and marks the start. */
function measure({ list, policy, pcr, remember }: MeasureOrder): void {
  const evidence = { format: 'ascii', bytes: readFileSync(list), startingOffset: 0 } as const
  const subject = {
    entries: ENTRIES,
    evidence: { ascii: evidence, binary: evidence },
    policy: parseRuntimePolicy(readFileSync(policy, 'utf8')),
    verified: provenPcr10(new Uint8Array(Buffer.from(pcr, 'hex'))),
  }
  const memo = remember ? new LineMemo() : undefined
  global.gc?.()
  console.log(`${MARK} ${process.memoryUsage().heapUsed / 2 ** 20}`)
  evaluateLongList(subject, 'ascii', memo)
  global.gc?.()
}

/** By how many bytes the heap outgrows its beginning at most, garbage that is not collected yet included. */
function measureApart(order: MeasureOrder): number {
  const self = developmentProgram('reference/dev/bench/ima-memory.ts')
  const words = ['--expose-gc', '--trace-gc', ...self, JSON.stringify(order)]
  const child = spawnSync(process.execPath, words, { encoding: 'utf8' })
  const [, after = ''] = child.stdout.split(MARK)
  const sizes = [...after.matchAll(/ ([\d.]+) \([\d.]+\) -> /g)].map(([, size]) => Number(size))
  if (child.status !== 0 || sizes.length === 0)
    throw new Error(`measuring memory failed: ${child.stderr}`)
  return (Math.max(...sizes) - Number.parseFloat(after)) * 2 ** 20
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

/** Prints the memory for evaluating 100,000 entries beyond the list and the policy. */
function main(directory: string): void {
  const { evidence, policyText, pcr } = makeLongList(ENTRIES)
  const size = evidence.ascii.bytes.length
  const files = { list: join(directory, 'list'), policy: join(directory, 'policy.json') }
  writeFileSync(files.list, evidence.ascii.bytes)
  writeFileSync(files.policy, policyText)
  const table = new Table({ head: ['memory', 'list MB', 'grows by MB', 'ratio', 'limit'] })
  for (const remember of [false, true]) {
    const grown = measureApart({ ...files, pcr: Buffer.from(pcr).toString('hex'), remember })
    if (grown > LIMIT * size) process.exitCode = 1
    const said = `${LIMIT.toFixed(2)}${grown > LIMIT * size ? ' exceeded' : ''}`
    const subject = `IMA list, text, ${remember ? 'being learned' : 'never seen'}`
    table.push([subject, mega(size), mega(grown), (grown / size).toFixed(2), said])
  }
  console.log(table.toString())
}

const [, , order] = process.argv
if (order !== undefined) measure(JSON.parse(order))
else {
  const directory = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    main(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}
