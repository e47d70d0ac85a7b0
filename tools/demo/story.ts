import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../conformance/attempt/poll.ts'
import { runtimePolicyOf } from '../../simulator/platform/boot-facts.ts'
import type { Words } from '../playground/commands/run-command.ts'
import type { Playground } from '../playground/playground.ts'

/** What the steps of the demonstration work with. */
export interface DemoContext {
  readonly playground: Playground
  /** The run directory of the playground. */
  readonly directory: string
  /** Runs a command of the playground and returns its output. */
  command(...words: Words): Promise<string>
}

/** A step: what it shows, in sentences, and what it does; its result is a line for each fact. */
export interface DemoStep {
  readonly title: string
  readonly text: string
  run(context: DemoContext): Promise<readonly string[]>
}

/** The program that is not in the policy. */
const INTRUDER = '/usr/bin/intruder'

const machineOf = ({ playground }: DemoContext) => playground.find('m1')

/** The end of the measurement list, as the kernel shows it. */
function lastMeasurement({ directory }: DemoContext): string {
  const list = join(directory, 'agents', 'm1', 'ascii_runtime_measurements')
  return readFileSync(list, 'utf8').trimEnd().split('\n').at(-1) ?? ''
}

/** The lines that the verifier has logged of failures. */
function loggedFailures({ directory }: DemoContext): readonly string[] {
  const lines = readFileSync(join(directory, 'logs', 'verifier.out'), 'utf8').split('\n')
  // The last part is a line that is not whole yet, or nothing.
  return lines.slice(0, -1).filter((line) => line.includes('"failure":'))
}

/** Waits for a verdict; returns it with the time that it took. */
async function verdict({ command }: DemoContext, word: 'pass' | 'fail'): Promise<string> {
  const waited = await command('wait', word, 'm1')
  return `verdict of the verifier: ${/(?:PASS|FAIL) after [\d.]+ \w+/.exec(waited)?.[0]}`
}

/** A line of a log may be written a moment after the verdict that it explains. */
const LOGGED_WITHIN_MS = 10_000

/** Does what makes the verifier fail the machine; returns the verdict and the reason. */
async function failureOf(
  context: DemoContext,
  act: () => Promise<unknown>,
): Promise<readonly string[]> {
  const before = loggedFailures(context).length
  await act()
  const failed = await verdict(context, 'fail')
  await until(() => loggedFailures(context).length > before, { withinMs: LOGGED_WITHIN_MS })
  const last = loggedFailures(context).at(-1) ?? '{}'
  return [failed, `reason in its log: ${JSON.parse(last).msg}`]
}

export const STORY: readonly DemoStep[] = [
  {
    title: 'A machine boots, and registers',
    text: `Its TPM is a chip, here a virtual one, with two keys that matter. The maker gave it the endorsement key (EK), with a certificate: it tells which TPM this is. The attestation key (AK) signs only what the TPM itself states. The registrar encrypts a secret so that only a TPM with both keys can decrypt it. The agent, a program on the machine, returns the secret: the registrar now knows that the AK lies in a genuine TPM. Then an administrator gives the verifier a policy: the digests of the files that may run on this machine.`,
    async run(context) {
      const { agentId, machine } = await context.playground.add('pull')
      const record = await context.playground.servers.registration(agentId)
      const files = Object.keys(runtimePolicyOf(machine.ima.entries).digests).length
      return [
        `agent:  ${agentId}`,
        `EK:     the issuer of its certificate is ${new X509Certificate(machine.ek.certificate).issuer}`,
        `AK:     registered ${record?.aik_tpm.slice(0, 40)}…`,
        `policy: ${files} files`,
      ]
    },
  },
  {
    title: 'The verifier asks, and is satisfied',
    text: `Every two seconds the verifier sends a random number. The TPM signs it with the AK, together with its registers (PCRs): this is a quote, and cannot be one of yesterday. The kernel has measured every file before it ran: it wrote the digest into a list, and extended PCR 10 by it. Nothing but a reboot sets a PCR back. So the verifier checks the signature, replays the list, compares the sum with PCR 10, and looks each file up in the policy.`,
    run: async (context) => [
      `measurement list: ${machineOf(context).machine.ima.entries.length} entries`,
      await verdict(context, 'pass'),
    ],
  },
  {
    title: 'An unknown program runs',
    text: `An attacker is on the machine, with all rights, and runs a program of their own. The kernel measures it first. The verifier asks for the entries that it does not have yet: entry 0 of these is the program.`,
    async run(context) {
      const failed = await failureOf(context, () => context.command('tamper', 'm1', INTRUDER))
      return [`measured: ${lastMeasurement(context)}`, ...failed]
    },
  },
  {
    title: 'It cannot be hidden',
    text: `The attacker removes the program, and an administrator, in good faith, tells the verifier to try again. But PCR 10 still has the digest in it. A list without this entry would no longer give the sum that the TPM signs.`,
    run: (context) => failureOf(context, () => context.command('reactivate', 'm1')),
  },
  {
    title: 'The machine recovers',
    text: `The machine is installed anew and boots: its PCRs begin at zero, and its list without the program. The administrator lets the verifier ask again.`,
    async run(context) {
      await context.command('reboot', 'm1')
      await context.command('reactivate', 'm1')
      return [await verdict(context, 'pass')]
    },
  },
]
