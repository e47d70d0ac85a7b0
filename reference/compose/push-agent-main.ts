import { PUSH_AGENT_PARTS, type PushAgentParts } from '../agent/push/push-agent-parts.ts'
import { parseOptions, stopSignal } from '../config/component-options.ts'
import { loadConfig } from '../config/config.ts'
import { waitForCa } from '../pki/wait-for-ca.ts'
import { startPushAgent } from './compose-push-agent.ts'

/** `assay push-agent`: attests until it is asked to stop; returns the exit code. */
export async function pushAgentMain(
  argv: readonly string[],
  parts: PushAgentParts = PUSH_AGENT_PARTS,
  onStarted: () => void = () => undefined,
): Promise<number> {
  const options = parseOptions('push-agent', argv)
  if (options === undefined) return 0
  const config = loadConfig('push-agent', options.config, options.set)
  const { state_dir, verifier_tls_ca_cert } = config
  await waitForCa({ state_dir }, [verifier_tls_ca_cert], options.waitForCa)
  // Before the TPM is used, so that a start that is ended leaves nothing in it.
  const stopRequested = stopSignal()
  const agent = await startPushAgent(config, { parts })
  process.stdout.write(`push agent ${agent.uuid} attests to ${config.verifier_url}\n`)
  onStarted()
  await Promise.race([stopRequested, agent.ended])
  await agent.stop()
  return 0
}
