import { presentDuration } from '../../input/duration.ts'
import type { SetupStep } from '../../report/result.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import { runTimed } from '../processes/run-timed.ts'
import type { Target } from '../target.ts'

/**
 * Installs the CA of the virtual TPMs in the deployment by the command of the target file, before its roles start.
 * Returns one step for the report, or none without such a command; throws `D-HOOK-FAILED` if it fails.
 */
export async function installEkTrust(
  { ekTrust, file }: Target,
  run: RunDirectory,
): Promise<readonly SetupStep[]> {
  if (ekTrust.kind !== 'install') return []
  const what = 'ek_trust.install'
  const { ms } = await runTimed(
    { what, command: ekTrust.install, key: what, file, log: what, code: 'D-HOOK-FAILED' },
    run,
  )
  const detail = `the CA of the virtual TPMs was installed in ${presentDuration(ms)}`
  return [{ what: 'TPM manufacturer trusted', ok: true, detail, ms: Math.round(ms) }]
}
