import { cpSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { type SettableClock, settableClock } from '../../dev/testing/settable-clock.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { type Ask, pushMachine } from '../../dev/testing/verifier/push-machine.ts'
import { AGENT } from '../../dev/testing/verifier/push-requests.ts'
import { composeVerifier } from '../compose-verifier.ts'
import { SHIPPED_PARTS } from '../parts.ts'

const SILENT = 5 * 2

/** A verifier on the files of a directory; every client without a token is an administrator. */
async function startedIn(state_dir: string, clock: SettableClock) {
  const config = loadConfig('verifier', undefined, ['log_level=silent', `state_dir=${state_dir}`])
  const parts = { ...SHIPPED_PARTS, clock, administratorOf: () => 'client' }
  const verifier = await composeVerifier(config, parts)
  let ended: Promise<void> | undefined
  const close = () => (ended ??= verifier.close())
  onTestFinished(close)
  const ask: Ask = async (method, url, asked) => {
    const reply = await verifier.server.inject({ method, url, ...asked })
    if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode}`)
    return reply.json()
  }
  return { ask, close }
}

/** An agent whose evidence passed some seconds ago. */
async function attestedBefore(passed: number) {
  const [directory, clock, machine] = [temporaryDirectory(), settableClock(), pushMachine(AGENT, 1)]
  const first = await startedIn(directory, clock)
  await machine.enrol(first.ask)
  await machine.authenticate(first.ask)
  const begun = await machine.begin(first.ask)
  await machine.submit(first.ask, begun)
  expect(await machine.verdict(first.ask, begun)).toBe('pass')
  clock.pass(passed)
  return { directory, clock, machine, first }
}

/** An agent whose evidence passed `before` seconds before its verifier stopped; another verifier starts two hours later. */
async function afterAnAbsence(before: number) {
  const { directory, clock, machine, first } = await attestedBefore(before)
  await first.close()
  clock.sleep(7200)
  const { ask } = await startedIn(directory, clock)
  await machine.authenticate(ask)
  return { clock, begin: () => machine.begin(ask) }
}

test('a verifier that was away for two hours takes the evidence of its agents', async () => {
  const { clock, begin } = await afterAnAbsence(SILENT - 1)
  expect((await begin()).index).toBe('1')
  clock.pass(1)
  await expect(begin()).rejects.toThrow('403')
})

test('an agent that was silent before is silent afterwards', async () => {
  const { begin } = await afterAnAbsence(SILENT)
  await expect(begin()).rejects.toThrow('403')
})

test('a silent agent that was refused is refused after a crash too', async () => {
  const { directory, clock, machine, first } = await attestedBefore(SILENT)
  await expect(machine.begin(first.ask)).rejects.toThrow('403')
  const crashed = temporaryDirectory()
  cpSync(directory, crashed, { recursive: true })
  const { ask } = await startedIn(crashed, clock)
  await machine.authenticate(ask)
  await expect(machine.begin(ask)).rejects.toThrow('403')
})
