import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'
import { measure, sharesOf } from './measure.ts'
import { NULL_SERVERS } from './null-servers.ts'

/**
 * `node bin/dev.js conformance/selftest/null-servers/main.ts [NAME]...` runs all scenarios against each null server, and
 * prints what passed in one line for each. The reports are below `reports/out/null-servers`.
 */
const OUT = join(packageRoot(), 'reports', 'out', 'null-servers')

const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(2)} %`

const names = process.argv.slice(2)
const chosen = Object.entries(NULL_SERVERS).filter(
  ([name]) => names.length === 0 || names.includes(name),
)
for (const [name, server] of chosen) {
  const began = performance.now()
  const out = join(OUT, name.replaceAll(/\W+/g, '-'))
  const { exitCode, result } = await measure(server, { only: [], version: [], out })
  const shares = Object.entries(sharesOf(result)).map(
    ([what, [count, of]]) => `${what} ${count} of ${of} (${percent(count, of)})`,
  )
  const faults = `harness-fault ${result.totals['harness-fault']}`
  const seconds = `${Math.round((performance.now() - began) / 1000)} s`
  console.log([name.padEnd(28), `exit ${exitCode}`, ...shares, faults, seconds].join('  '))
}
