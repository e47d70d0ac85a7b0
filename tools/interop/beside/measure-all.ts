import Table from 'cli-table3'
import type { Console } from '../../../conformance/report/console/open-console.ts'
import { wholeSeconds } from '../../../conformance/report/console/present-times.ts'
import { startOnFreePorts } from '../../../conformance/target/deployment/start-on-free-ports.ts'
import { loadTarget } from '../../../conformance/target/load-target.ts'
import type { InteropEnvironment } from '../environment.ts'
import { POLLED_AGENTS, writeTarget } from '../suite-target.ts'
import { type Measured, measureBeside, type Side } from './measure-beside.ts'
import { cpuOfGroup, memoryOfGroup } from './process-group.ts'
import { WORKS, type Work } from './works.ts'

/** Measures every work at our servers and at Keylime's, and prints the CPU time and the memory of each with the ratio. */
export async function measureAll(
  environment: InteropEnvironment,
  { say, does }: Pick<Console, 'say' | 'does'>,
): Promise<void> {
  const ours = ourSide(environment)
  const theirs = {
    push: await keylimeSide(environment, 'push'),
    pull: await keylimeSide(environment, 'pull'),
  }
  const memory = () => memoryOf(ours, theirs.push)
  const starts = SERVERS.map((server) => startOf(server, ours, theirs.push))
  const [all, before]: [Measured[], Row] = [[], { name: 'verifier, before the work', ...memory() }]
  for (const work of WORKS) {
    does((ms) => `  ${work.name}, ${all.length + 1} of ${WORKS.length}, ${wholeSeconds(ms)}`)
    all.push(await measureBeside(work, [ours, theirs[work.mode ?? 'push']], environment))
  }
  does(() => '')
  say(
    present('CPU of the server, median of three rounds', 'ms', [...starts, ...rowsOf(all, 'cpu')]),
  )
  const parallel = all.filter(({ work }) => work.clients !== undefined)
  say(present('time that passed, divided by the requests', 'ms', rowsOf(parallel, 'wall')))
  const after = { name: 'verifier, after the work', ...memory() }
  say(present('memory', 'MB', [before, after]))
}

function ourSide({ ours: { started } }: InteropEnvironment): Side {
  const { verifier = Number.NaN, registrar = Number.NaN } = started.deployment.pids
  return { ...started, groups: { verifier, registrar } }
}

/** Keylime's verifier for push agents, which serves 2.5 too, or its polling one; and its registrar. */
async function keylimeSide(environment: InteropEnvironment, mode: 'push' | 'pull'): Promise<Side> {
  const { places, upstream, run, ekCa } = environment
  const file = writeTarget(environment, {
    ...{ id: `beside-${mode}`, role: 'verifier', verifier: places.ports[mode] },
    versions: mode === 'push' ? ['2.5', '3.0'] : ['2.5'],
    directory: mode === 'push' ? places.pushDirectory : places.directory,
    capabilities: ['ima_log', 'uefi_log', ...(mode === 'pull' ? ['pull_mode'] : [])],
    ...(mode === 'pull' ? { dialect: POLLED_AGENTS } : {}),
  })
  const surroundings = { run: run.path, ekCa, env: process.env }
  const read = await loadTarget(file, surroundings)
  const groups = {
    verifier: upstream.groupOf(`keylime-${mode}`),
    registrar: upstream.groupOf('keylime-registrar'),
  }
  return { ...(await startOnFreePorts(read, surroundings, run)), groups }
}

function rowsOf(all: readonly Measured[], of: 'cpu' | 'wall'): readonly Row[] {
  return all.map(({ work: { name }, ours, theirs }) => ({
    ...{ name, ours: ours[of], theirs: theirs[of] },
  }))
}

const SERVERS = ['verifier', 'registrar'] as const

/** The CPU time of a server until now, when it has started and done nothing else. */
function startOf(server: Work['server'], ours: Side, theirs: Side): Row {
  const cpu = ({ groups }: Side) => cpuOfGroup(groups[server])
  return { name: `start of the ${server}`, ours: cpu(ours), theirs: cpu(theirs) }
}

function memoryOf(ours: Side, theirs: Side): Pick<Row, 'ours' | 'theirs'> {
  const megabytes = ({ groups }: Side) => memoryOfGroup(groups.verifier) / 1024
  return { ours: megabytes(ours), theirs: megabytes(theirs) }
}

/** One value of both sides. */
interface Row {
  readonly name: string
  readonly ours: number
  readonly theirs: number
}

/** A table of values and ratios; a ratio above 1 says that ours needs less. */
function present(what: string, unit: string, rows: readonly Row[]): string {
  const table = new Table({
    head: [what, 'ours', 'Keylime', 'ratio'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right'],
  })
  const digits = unit === 'ms' ? 2 : 0
  for (const { name, ours, theirs } of rows)
    table.push([
      name,
      `${ours.toFixed(digits)} ${unit}`,
      `${theirs.toFixed(digits)} ${unit}`,
      (theirs / ours).toFixed(1),
    ])
  return table.toString()
}
