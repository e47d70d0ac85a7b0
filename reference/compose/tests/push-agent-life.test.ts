import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { framesOf } from '../../agent/logs/ima-log.ts'
import type { PushStep } from '../../agent/push/driver.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { toHex } from '../../bytes/hex.ts'
import { loadConfig } from '../../config/config.ts'
import { type Composed, composed } from '../../dev/testing/composed.ts'
import { runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { EV_NO_ACTION, parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { startSwtpm } from '../../tpm/testing/swtpm.ts'
import { tpmTool } from '../../tpm/testing/tpm-tools.ts'
import { startPushAgent } from '../compose-push-agent.ts'

const UUID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const LINES = new TextDecoder().decode(recorded('ascii_before_tools')).split('\n')
/** The kernel's extend for the first of them. */
const FIRST = '71256ce3b4beb2239d338280b9fa47886ff1d51e80867533d0562d63350d4119'
const BOOT_AGGREGATE = /sha256:([0-9a-f]{64})/.exec(LINES[0] ?? '')?.[1] ?? ''
const ECC = ['tpm_encryption_alg=ecc', 'tpm_signing_alg=ecdsa']
const BOOT_LOG = recorded('binary_bios_measurements')
const SOON = { timeout: 120_000, interval: 20 }

/** Verifier and registrar, and a virtual TPM that has measured the first line of its list. */
async function scene() {
  const both = await composed()
  const state_dir = temporaryDirectory()
  const list = join(state_dir, 'list')
  const tpm = await startSwtpm()
  const boot = () => {
    writeFileSync(list, `${LINES[0]}\n`)
    tpmTool('pcrextend', [`10:sha256=${FIRST}`], tpm.tcti)
  }
  boot()
  const settings = [
    ...['log_level=silent', `state_dir=${state_dir}`, `uuid=${UUID}`, `tcti=${tpm.tcti}`],
    ...[`verifier_url=https://127.0.0.1:${both.portOf('verifier')}`],
    ...[`verifier_tls_ca_cert=${join(both.state_dir, 'cv_ca/cacert.crt')}`],
    ...[`registrar_port=${both.portOf('registrar')}`, `ima_ml_path=${list}`],
    ...['measuredboot_ml_path=/nowhere', 'exponential_backoff_initial_delay=50'],
    ...['attestation_interval_max_seconds=1', ...ECC],
  ]
  const start = async (more: readonly string[] = []) => {
    const steps: PushStep[] = []
    const config = loadConfig('push-agent', undefined, [...settings, ...more])
    const { stop } = await startPushAgent(config, { onStep: (step) => steps.push(step) })
    onTestFinished(stop)
    const happens = (event: string) =>
      vi.waitFor(() => expect(steps.map((step) => step.event)).toContain(event), SOON)
    return { stop, steps, happens }
  }
  return { both, tpm, boot, start, settings }
}

/** The verifier's record of an attestation over a measurement list. */
interface Attributes {
  readonly evaluation: string
  readonly failure_reason: string | null
  readonly system_info: { readonly boot_time: string }
  readonly evidence?: readonly {
    readonly evidence_type: string
    readonly chosen_parameters: { readonly starting_offset?: number }
    readonly capabilities: Readonly<Record<string, unknown>>
    readonly data: Readonly<Record<string, unknown>>
  }[]
}

async function registrationOf({ ask }: Composed): Promise<Readonly<Record<string, string>>> {
  const { body } = await ask('registrar', `/v2.5/agents/${UUID}`, { admin: true })
  return (body as { results: Readonly<Record<string, string>> }).results
}

/** Enrols the agent as it is registered, under a policy of what its list has. */
async function enrol(both: Composed, more: object = {}): Promise<void> {
  const { aik_tpm: ak_tpm } = await registrationOf(both)
  const policy = runtimePolicy({ boot_aggregate: [BOOT_AGGREGATE] })
  const body = { ak_tpm, runtime_policy: toBase64(new TextEncoder().encode(policy)), ...more }
  const asked = { method: 'POST', body, admin: true }
  const path = `/v2.5/agents/${UUID}`
  expect(await both.ask('verifier', path, asked)).toMatchObject({ status: 200 })
}

async function attestations({ ask }: Composed): Promise<readonly Attributes[]> {
  const { body } = await ask('verifier', `/v3/agents/${UUID}/attestations`, { admin: true })
  const all = (body as { data: readonly { id: string; attributes: Attributes }[] }).data
  return all.toSorted((a, b) => Number(a.id) - Number(b.id)).map(({ attributes }) => attributes)
}

/** Waits until there is an attestation like this, the latest or one before, and gives it. */
function shows(both: Composed, isIt: (one: Attributes) => boolean): Promise<Attributes> {
  return vi.waitFor(async () => {
    const all = await attestations(both)
    const found = all.find(isIt)
    if (found === undefined) throw new Error(`none of these is it: ${JSON.stringify(all)}`)
    return found
  }, SOON)
}

const itemOf = ({ evidence }: Attributes, type: string) =>
  evidence?.find(({ evidence_type }) => evidence_type === type)

/** Whether it passed over entries from this one on. */
const passedFrom = (offset: number) => (one: Attributes) =>
  one.evaluation === 'pass' && itemOf(one, 'ima_log')?.chosen_parameters.starting_offset === offset

test('a push agent registers, attests once it is enrolled, and then sends new entries only', async () => {
  const { both, start } = await scene()
  const { stop, steps, happens } = await start()
  await happens('proof_failed')
  await enrol(both)
  const first = await shows(both, passedFrom(0))
  expect(itemOf(first, 'ima_log')?.data).toMatchObject({ entry_count: 1 })
  const second = await shows(both, passedFrom(1))
  expect(itemOf(second, 'ima_log')?.data).toEqual({ entry_count: 0, entries: '' })
  await stop()
  expect(steps.at(-1)).toMatchObject({ event: 'stopped', to: 'Stopped' })
}, 120_000)

test.each([
  ['ecc384', 'ecdsa', 384],
  ['ecc521', 'ecdsa', 521],
  ['rsa3072', 'rsapss', 3072],
])(
  'an agent whose keys are %s registers, and attests with %s',
  async (kind, signing, size) => {
    const { both, start } = await scene()
    const keys = [`tpm_encryption_alg=${kind}`, `tpm_signing_alg=${signing}`]
    const { happens } = await start(keys)
    await happens('registered')
    await enrol(both)
    const { capabilities } = itemOf(await shows(both, passedFrom(0)), 'tpm_quote') ?? {}
    expect(capabilities).toMatchObject({ certification_keys: [{ key_size: size }] })
  },
  120_000,
)

test('a second agent on the same directory is refused, and not once the first has ended', async () => {
  const { start } = await scene()
  const first = await start()
  await expect(start()).rejects.toMatchObject({
    sentence: expect.stringContaining('push-agent is in use by another agent'),
    next: expect.stringContaining('state_dir=DIRECTORY'),
  })
  await first.stop()
  const second = await start()
  await second.happens('registered')
}, 120_000)

test('an agent whose list is binary sends it as such, and its quote is over it', async () => {
  const { both, start } = await scene()
  const [list, whole] = [join(temporaryDirectory(), 'list'), recorded('binary_before_tools')]
  writeFileSync(list, whole.subarray(0, framesOf({ isBinary: true }).skip(whole, 1)))
  const { happens } = await start([`ima_ml_path=${list}`])
  await happens('registered')
  await enrol(both)
  const { chosen_parameters, data } = itemOf(await shows(both, passedFrom(0)), 'ima_log') ?? {}
  expect(chosen_parameters).toMatchObject({ format: 'application/octet-stream' })
  expect(data).toMatchObject({ entry_count: 1 })
}, 120_000)

test('after a restart it is the same agent, in the same boot, and continues its list', async () => {
  const { both, start } = await scene()
  const first = await start()
  await first.happens('registered')
  await enrol(both)
  const { system_info } = await shows(both, passedFrom(1))
  const { aik_tpm } = await registrationOf(both)
  await first.stop()
  const { happens, steps } = await start()
  await happens('accepted')
  expect(await registrationOf(both)).toMatchObject({ aik_tpm, regcount: 2 })
  const latest = (await attestations(both)).at(-1)
  expect(latest).toMatchObject({ system_info })
  expect(latest?.evidence?.[1]?.chosen_parameters).toMatchObject({ starting_offset: 1 })
  expect(steps.filter(({ failures }) => failures > 0)).toEqual([])
}, 120_000)

test('a machine that reboots under the agent is another boot, whose whole list is sent', async () => {
  const { both, tpm, boot, start } = await scene()
  const { happens } = await start()
  await happens('registered')
  await enrol(both)
  const before = await shows(both, passedFrom(1))
  await tpm.reset()
  boot()
  await shows(both, (one) => passedFrom(0)(one) && bootOf(one) > bootOf(before))
}, 120_000)

function bootOf({ system_info }: Attributes): number {
  return Date.parse(system_info.boot_time)
}

test('an agent with an RSA key sends the firmware log too, where it is asked for', async () => {
  const { both, tpm, start } = await scene()
  const file = join(temporaryDirectory(), 'log')
  writeFileSync(file, BOOT_LOG)
  tpmTool('pcrextend', extensionsOf(BOOT_LOG), tpm.tcti)
  const { happens } = await start([
    ...['tpm_encryption_alg=rsa', 'tpm_signing_alg=rsassa', `measuredboot_ml_path=${file}`],
  ])
  await happens('registered')
  await enrol(both, { mb_refstate: '{"scrtm_and_bios":[]}' })
  // No event is in the reference state, and yet the log is of the quoted PCRs: otherwise the chain would be broken.
  const evaluated = await shows(both, (one) => one.failure_reason === 'policy_violation')
  expect(itemOf(evaluated, 'uefi_log')?.data).toMatchObject({ entries: toBase64(BOOT_LOG) })
}, 120_000)

/** What firmware extended, as the tools take it. */
function extensionsOf(log: Uint8Array): readonly string[] {
  const extending = parseBootLog(log).events.filter(
    ({ untrustedType }) => untrustedType !== EV_NO_ACTION,
  )
  return extending.map(
    ({ pcr, digests }) => `${pcr}:sha256=${toHex(digests.get('sha256') ?? new Uint8Array())}`,
  )
}

test('the program stops cleanly on request, and leaves nothing in the TPM', async () => {
  const { both, tpm, settings } = await scene()
  const bin = fileURLToPath(new URL('../../../bin/assay.js', import.meta.url))
  const words = settings.flatMap((setting) => ['--set', setting])
  const program = spawn(process.execPath, [bin, 'push-agent', ...words])
  const ended = once(program, 'exit')
  onTestFinished(() => void program.kill('SIGKILL'))
  const isRegistered = async () => expect(await registrationOf(both)).toHaveProperty('aik_tpm')
  await vi.waitFor(isRegistered, SOON)
  program.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  for (const kind of ['handles-transient', 'handles-loaded-session', 'handles-saved-session'])
    expect(tpmTool('getcap', [kind], tpm.tcti).trim()).toBe('')
}, 120_000)
