/**
 * Measures a TPM command through the broker, as a ratio to the same command on swtpm's own socket in the same run.
 * All lanes take turns on one TPM and one connection: with a TPM each, the choice of cores by the scheduler would
 * be most of the difference. Run it with `node bin/dev.js simulator/bench/broker.ts`; it ends by itself after some
 * seconds.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Broker, openBroker } from '../swtpm/broker.ts'
import { startSwtpm } from '../swtpm/process.ts'
import { AK_HANDLE, makePersistentKey } from '../swtpm/provision.ts'
import { signingTemplate } from '../swtpm/templates.ts'
import type { Transmit } from '../tpm/command.ts'
import { BANKS, HASHES } from '../tpm/hash.ts'
import { selectPcrs } from '../tpm/pcr-selection.ts'
import { bindTpm, type Tpm } from '../tpm/tpm.ts'
import { filled } from '../tpm/write.ts'

const ROUNDS = 200
const WARM_UP_ROUNDS = 20
const COMMANDS_A_ROUND = 10

/** The minimal transport: one listener, which assumes that the response arrives in one piece. */
function rawTransmit(socket: Socket): Transmit {
  let answered: (response: Uint8Array) => void = () => undefined
  socket.on('data', (chunk: Buffer) => answered(new Uint8Array(chunk)))
  return (command) =>
    new Promise((resolve) => {
      answered = resolve
      socket.write(command)
    })
}

const ONES = Object.fromEntries(BANKS.map((bank) => [bank, filled(HASHES[bank].size, 1)]))
const QUALIFYING = filled(20, 7)

const CASES: readonly (readonly [name: string, run: (tpm: Tpm) => Promise<unknown>])[] = [
  ['GetRandom, 16 bytes', (tpm) => tpm.getRandom(16)],
  ['PCR_Read, 4 PCRs', (tpm) => tpm.pcrRead('sha256', [0, 1, 2, 3])],
  ['PCR_Extend, 4 banks', (tpm) => tpm.pcrExtend(16, ONES)],
  [
    'Quote, P-256',
    (tpm) => {
      const selections = [selectPcrs('sha256', [0, 10])]
      return tpm.quote({ signHandle: AK_HANDLE, qualifyingData: QUALIFYING, selections })
    },
  ],
]

async function ready(tpm: Tpm): Promise<void> {
  await tpm.startup()
  await makePersistentKey(tpm.transmit, signingTemplate('ecc256'), AK_HANDLE)
}

/** The first quartile: on a shared machine the slower rounds measure other load. */
function quiet(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 2] ?? Number.NaN
}

async function timeRound(tpm: Tpm, run: (tpm: Tpm) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  for (let count = 0; count < COMMANDS_A_ROUND; count += 1) await run(tpm)
  return ((performance.now() - started) * 1000) / COMMANDS_A_ROUND
}

/** Returns microseconds per command, by lane; the lanes take turns in every round. */
async function measure(
  lanes: readonly Lane[],
  run: (tpm: Tpm) => Promise<unknown>,
  rounds = ROUNDS,
): Promise<number[]> {
  const times = lanes.map((): number[] => [])
  // The first use of an algorithm returns TPM_RC_RETRY, which only the broker handles.
  for (const { tpm, takeTurn } of lanes) {
    takeTurn()
    await run(tpm).catch(() => run(tpm))
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { tpm, takeTurn }] of lanes.entries()) {
      takeTurn()
      times[at]?.push(await timeRound(tpm, run))
    }
  }
  return times.map(quiet)
}

function row(name: string, cells: readonly string[]): string {
  return [name.padEnd(22), ...cells.map((cell) => cell.padStart(20))].join('')
}

function presentRow(name: string, costs: readonly number[]): string {
  const [raw = Number.NaN] = costs
  const cells = costs.map((us) => `${us.toFixed(0)} us  x${(us / raw).toFixed(2)}`)
  return row(name, cells)
}

/** One way of reaching the TPM. Only its own listeners are on the connection during its turn. */
interface Lane {
  readonly tpm: Tpm
  readonly takeTurn: () => void
}

type Listener = (chunk: Buffer) => void

function listenersOf(socket: Socket): () => void {
  const listeners = socket.listeners('data') as Listener[]
  return () => {
    socket.removeAllListeners('data')
    for (const listener of listeners) socket.on('data', listener)
  }
}

function openLane(socket: Socket, open: () => Transmit): Lane {
  socket.removeAllListeners('data')
  const transmit = open()
  return { tpm: bindTpm(transmit), takeTurn: listenersOf(socket) }
}

/** The view of another program: a client of the broker's Unix socket, during the broker's turn. */
async function openClientLane(broker: Broker, path: string, takeTurn: () => void): Promise<Lane> {
  await broker.serveUnix(path)
  const client = connect(path)
  await once(client, 'connect')
  return { tpm: bindTpm(rawTransmit(client)), takeTurn }
}

/** Prints the table; adds what it opens to `cleanUps`. */
async function run(directory: string, cleanUps: (() => unknown)[]): Promise<void> {
  const swtpm = await startSwtpm({ directory: join(directory, 'm') })
  cleanUps.push(() => swtpm.stop())
  const own = openLane(swtpm.data, () => rawTransmit(swtpm.data))
  const recorded = openLane(swtpm.data, () => {
    return openBroker({ ...swtpm, onCommand: () => undefined }).transmit
  })
  swtpm.data.removeAllListeners('data')
  const broker = openBroker(swtpm)
  const brokered = { tpm: bindTpm(broker.transmit), takeTurn: listenersOf(swtpm.data) }
  cleanUps.push(() => {
    brokered.takeTurn()
    return broker.close()
  })
  await ready(brokered.tpm)
  const client = await openClientLane(broker, join(directory, 'tpm'), brokered.takeTurn)
  const lanes = [own, brokered, recorded, client]
  console.log(row('', ['own socket', 'broker', 'with transcript', 'other program']))
  for (const [, command] of CASES) await measure(lanes, command, WARM_UP_ROUNDS)
  for (const [name, command] of CASES) console.log(presentRow(name, await measure(lanes, command)))
}

const directory = await mkdtemp(join(tmpdir(), 'b-'))
const cleanUps: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })]
try {
  await run(directory, cleanUps)
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}
