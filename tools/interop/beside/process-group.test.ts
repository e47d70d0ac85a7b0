import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../conformance/target/testing/test-support.ts'
import { cpuOfGroup, memoryOfGroup } from './process-group.ts'

/** Writes `stat` as procfs has it: name, state, parent, group and, as fields 14 and 15, ticks in user and system mode. */
function writeStat(proc: string, pid: number, group: number, [user, system]: [number, number]) {
  mkdirSync(join(proc, String(pid)))
  const text = `${pid} (a b) c) S 1 ${group} ${group} 0 -1 0 9 9 9 9 ${user} ${system} 7 7 20 0 1 0`
  writeFileSync(join(proc, String(pid), 'stat'), text)
}

test('the CPU time of a group is that of all its processes, and of no other', () => {
  const proc = temporaryDirectory()
  writeStat(proc, 100, 100, [5, 2])
  writeStat(proc, 101, 100, [30, 1])
  writeStat(proc, 102, 102, [900, 900])
  mkdirSync(join(proc, '103'))
  mkdirSync(join(proc, 'sys'))
  expect(cpuOfGroup(100, proc)).toBe(380)
  expect(cpuOfGroup(104, proc)).toBe(0)
})

test('the memory of a group is the sum of the parts of its processes', () => {
  const proc = temporaryDirectory()
  for (const [pid, group, size] of [
    [100, 100, 1200],
    [101, 100, 34],
    [102, 102, 9000],
  ] as const) {
    writeStat(proc, pid, group, [1, 1])
    const text = `0-7 ---p 00 00:00 0 [rollup]\nRss:  99999 kB\nPss:  ${size} kB\nPss_Dirty:  7 kB\n`
    writeFileSync(join(proc, String(pid), 'smaps_rollup'), text)
  }
  expect(memoryOfGroup(100, proc)).toBe(1234)
})
