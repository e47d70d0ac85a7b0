import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { policyMain } from '../../commands/policy/policy.ts'
import { loadConfig } from '../../config/config.ts'
import { freePort } from '../../dev/testing/free-port.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { tenantOfBoth } from '../../tenant/testing/run-tenant.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { startSwtpm } from '../../tpm/testing/swtpm.ts'
import { tpmTool } from '../../tpm/testing/tpm-tools.ts'
import { composeAgent } from '../compose-agent.ts'
import { SHIPPED_PARTS } from '../parts.ts'

const LINES = new TextDecoder().decode(recorded('ascii_before_tools')).split('\n')
/** The kernel's extend for the first of them. */
const FIRST = '71256ce3b4beb2239d338280b9fa47886ff1d51e80867533d0562d63350d4119'
const UUID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const SOON = { timeout: 120_000, interval: 50 }

/** Verifier, registrar and agent on a virtual TPM that has measured the first line of its list. */
async function scene() {
  const both = await tenantOfBoth([], {
    // On a busy machine too, the last attempt comes after the verdict.
    pause: (milliseconds) => shows(both, EVALUATED).then(() => delay(milliseconds / 20)),
  })
  const directory = temporaryDirectory()
  const list = join(directory, 'list')
  const write = (...lines: readonly string[]) => writeFileSync(list, `${lines.join('\n')}\n`)
  write(LINES[0] ?? '')
  const { tcti } = await startSwtpm()
  tpmTool('pcrextend', [`10:sha256=${FIRST}`], tcti)
  await startAgent(both, [`ima_ml_path=${list}`, `tcti=${tcti}`])
  const policy = join(directory, 'policy.json')
  policyMain(['runtime', '--ima-log', list, '-o', policy], { out: SILENT, err: SILENT })
  const payload = join(directory, 'payload')
  writeFileSync(payload, 'the launch code')
  const delivered = () =>
    readFileSync(join(both.state_dir, 'agent/secure/decrypted_payload'), 'utf8')
  return { ...both, write, policy, payload, delivered }
}

const SILENT = { write: () => undefined }

type Both = Awaited<ReturnType<typeof tenantOfBoth>>

async function startAgent(both: Both, settings: readonly string[]): Promise<void> {
  const port = await freePort()
  const config = loadConfig('agent', undefined, [
    ...['log_level=silent', `state_dir=${both.state_dir}`, `port=${port}`, `uuid=${UUID}`],
    ...[`registrar_port=${both.portOf('registrar')}`, 'extract_payload_zip=False', ...settings],
    ...['tpm_encryption_alg=ecc', 'tpm_signing_alg=ecdsa', 'measuredboot_ml_path=/nowhere'],
  ])
  const agent = await composeAgent(config, SHIPPED_PARTS)
  onTestFinished(() => agent.close())
  await agent.server.listen({ host: '127.0.0.1', port })
}

const EVALUATED = { attestation_status: expect.stringMatching(/PASS|FAIL/) }

/** Waits until the verifier shows an agent like this. */
function shows(
  { sayJson }: Pick<Both, 'sayJson'>,
  verifier: Readonly<Record<string, unknown>>,
): Promise<void> {
  return vi.waitFor(async () => {
    expect(await sayJson('cvstatus')).toMatchObject({ result: { verifier } })
  }, SOON)
}

test('a real agent gets its payload, fails after an unlisted file ran, and comes back', async () => {
  const life = await scene()
  const words = [
    '-f',
    life.payload,
    '--runtime-policy',
    life.policy,
    '--set',
    'require_ek_cert=False',
  ]
  expect(await life.say('add', ...words)).toMatchObject({ code: 0 })
  await vi.waitFor(() => expect(life.delivered()).toBe('the launch code'), SOON)
  await shows(life, { attestation_status: 'PASS', operational_state: 3 })
  life.write(LINES[0] ?? '', LINES[2] ?? '')
  await shows(life, { attestation_status: 'FAIL', operational_state: 9 })
  life.write(LINES[0] ?? '')
  expect(await life.say('reactivate')).toMatchObject({ code: 0 })
  await shows(life, { attestation_status: 'PASS', operational_state: 3 })
  expect(await life.say('delete')).toMatchObject({ code: 0 })
}, 60_000)

test('with a policy that lacks one file of the machine no agent gets its payload', async () => {
  const life = await scene()
  writeFileSync(life.policy, readFileSync(life.policy, 'utf8').replace('boot_aggregate', 'another'))
  const words = [
    '-f',
    life.payload,
    '--runtime-policy',
    life.policy,
    '--set',
    'require_ek_cert=False',
  ]
  const said = await life.say('add', ...words, '--set', 'max_retries=1')
  expect(said).toMatchObject({ code: 1, err: expect.stringMatching(/it was 9 \(invalid_quote\)/) })
  expect(life.delivered).toThrow('ENOENT')
}, 60_000)
