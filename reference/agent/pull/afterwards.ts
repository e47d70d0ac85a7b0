import { join } from 'node:path'
import type { AgentConfig } from '../../config/config.ts'
import type { Delivery } from '../keys/bootstrap-keys.ts'
import { deliveries, unpackedAt } from '../payload/deliver-payload.ts'
import { readArchive } from '../payload/read-archive.ts'
import { revocations } from '../revocation/revocations.ts'
import type { SignedRevocation } from '../revocation/verify-revocation.ts'
import type { AgentRules } from './agent-rules.ts'

/** The work of an agent after the reply to the tenant or the verifier. */
export interface Afterwards {
  deliver(delivery: Delivery): void
  takeRevocation(revocation: SignedRevocation): void
  /** Ends what runs, and waits for it. */
  close(): Promise<void>
}

interface SentenceLog {
  info(sentence: string): void
  warn(sentence: string): void
}

/** @param directory the agent's own */
export function afterwards(
  config: AgentConfig,
  directory: string,
  { entryChecks, verifyRevocation: verify }: AgentRules,
  log: SentenceLog,
): Afterwards {
  const secure = config.secure_dir === '' ? join(directory, 'secure') : config.secure_dir
  const payload = unpackedAt(secure)
  const payloads = deliveries({
    settings: {
      ...{ directory: secure, limit: config.secure_size, script: config.payload_script },
      ...{ keyFile: config.enc_keyname, payloadFile: config.dec_payload_file },
      isArchive: config.extract_payload_zip,
    },
    ...{ readArchive, entryChecks, log },
  })
  const { revocation_cert, revocation_actions: named } = config
  const messages = revocations({
    settings: {
      ...{ payload, scratch: secure, directory: config.revocation_actions_dir },
      isEnabled: config.enable_revocation_notifications,
      certificate:
        revocation_cert === '' ? join(payload, 'RevocationNotifier-cert.crt') : revocation_cert,
      named: named.split(/[,\s]+/).filter((name) => name !== ''),
      takesPayload: config.allow_payload_revocation_actions,
    },
    ...{ verify, log },
  })
  return {
    deliver: (delivery) => payloads.deliver(delivery),
    takeRevocation: (revocation) => messages.take(revocation),
    close: async () => void (await Promise.all([payloads.close(), messages.close()])),
  }
}
