import type { DoctorCheck, Examination, StepResult } from './examination.ts'

/** Capabilities that show from outside, if the deployment has them. */
const PROBED = ['pull_mode', 'ima_log', 'uefi_log', 'ek_store']

/** Capabilities that show only in scenarios, or that the harness needs for itself. */
const NOT_PROBED = [
  ...['measured_boot', 'boot_policy_names', 'tls_resumption', 'device_identity', 'ecc_keys'],
  ...['restartable', 'movable_clock', 'generated_tls', 'sev_snp', 'deep_quotes'],
]

async function compareCapabilities(
  { target }: Examination,
  probe: NonNullable<Examination['probeCapabilities']>,
): Promise<StepResult> {
  const answers = await probe()
  const claimed = (word: string) => target.capabilities.includes(word)
  const extra = PROBED.filter((word) => answers.get(word) === true && !claimed(word))
  const absent = PROBED.filter((word) => answers.get(word) === false && claimed(word))
  const agreed = PROBED.filter((word) => answers.has(word) && answers.get(word) === claimed(word))
  const silent = PROBED.filter((word) => !answers.has(word))
  const detail = [
    present('it has, and the target file does not claim', extra),
    present('the target file claims, and it lacks', absent),
    present('as claimed', agreed),
    present('did not show', silent),
    present('not probed', NOT_PROBED),
  ]
    .filter((part) => part !== undefined)
    .join('; ')
  if (extra.length + absent.length === 0) return { detail }
  const steps = [
    present('add to capabilities', extra),
    present('remove from capabilities', absent),
  ].filter((part) => part !== undefined)
  const next = `in ${target.file}, ${steps.join('; ')}`
  return { detail, warning: { code: 'D-CAPABILITY', next } }
}

function present(what: string, words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : `${what}: ${words.join(', ')}`
}

/** The deployment has the capabilities that the target file claims, as far as they show from outside, and no others. */
export const checkCapabilities: DoctorCheck = {
  name: 'capabilities',
  stage: 'trial',
  codes: ['D-CAPABILITY'],
  steps: (at) => {
    const { probeCapabilities } = at
    if (probeCapabilities === undefined) return []
    return [{ what: 'capabilities', run: () => compareCapabilities(at, probeCapabilities) }]
  },
}
