import Table from 'cli-table3'
import type { Console } from '../../../conformance/report/console/open-console.ts'
import { wholeSeconds } from '../../../conformance/report/console/present-times.ts'
import { startOnFreePorts } from '../../../conformance/target/deployment/start-on-free-ports.ts'
import { loadTarget } from '../../../conformance/target/load-target.ts'
import type { InteropEnvironment } from '../environment.ts'
import { writeTarget } from '../suite-target.ts'
import { type Measured, measureBeside, type Side } from './measure-beside.ts'
import { WORKS } from './works.ts'

/** Measures every work at our servers and at Keylime's, and prints the CPU time of each with the ratio. */
export async function measureAll(
  environment: InteropEnvironment,
  { say, does }: Pick<Console, 'say' | 'does'>,
): Promise<void> {
  const sides = [ourSide(environment), await keylimeSide(environment)] as const
  const all: Measured[] = []
  for (const work of WORKS) {
    does((ms) => `  ${work.name}, ${all.length + 1} of ${WORKS.length}, ${wholeSeconds(ms)}`)
    all.push(await measureBeside(work, sides, environment))
  }
  does(() => '')
  say(presentMeasured(all))
}

function ourSide({ ours: { started } }: InteropEnvironment): Side {
  const { verifier = Number.NaN, registrar = Number.NaN } = started.deployment.pids
  return { ...started, groups: { verifier, registrar } }
}

/** Its verifier for push agents serves 2.5 too. */
async function keylimeSide(environment: InteropEnvironment): Promise<Side> {
  const { places, upstream, run, ekCa } = environment
  const file = writeTarget(environment, {
    ...{ id: 'beside', role: 'verifier', versions: ['2.5', '3.0'] },
    ...{ directory: places.pushDirectory, verifier: places.ports.push },
    capabilities: ['ima_log', 'uefi_log'],
  })
  const surroundings = { run: run.path, ekCa, env: process.env }
  const read = await loadTarget(file, surroundings)
  const groups = {
    verifier: upstream.groupOf('keylime-push'),
    registrar: upstream.groupOf('keylime-registrar'),
  }
  return { ...(await startOnFreePorts(read, surroundings, run)), groups }
}

/** CPU milliseconds of the server for each work; a ratio above 1 says that ours needs less. */
function presentMeasured(all: readonly Measured[]): string {
  const table = new Table({
    head: ['CPU of the server, median of three rounds', 'ours', 'Keylime', 'ratio'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right'],
  })
  for (const { work, ours, theirs } of all)
    table.push([
      work.name,
      `${ours.toFixed(2)} ms`,
      `${theirs.toFixed(2)} ms`,
      (theirs / ours).toFixed(1),
    ])
  return table.toString()
}
