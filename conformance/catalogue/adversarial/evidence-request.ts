import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'
import { writeOut } from './evidence-file.ts'

type Members = Readonly<Record<string, unknown>>

/** The EK of the recorded boot: verify/evidence requires one, and no quote depends on it. */
const EK = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig', 'ek_rsa.tpm2b_public')

/** Whether verify/evidence can carry these members. It has no place for a push document, a binary list or an offset. */
export function travels({ quote, previous_clock, ima }: Members): boolean {
  if (quote === undefined || previous_clock !== undefined) return false
  return ima === undefined || isWholeText(ima as Members)
}

/**
 * Whether the list is text, starts at its first entry, and can be represented in JSON; a list given in parts is
 * ASCII.
 */
function isWholeText({ format, entries, starting_offset }: Members): boolean {
  const text = typeof entries !== 'string' || isUtf8(Buffer.from(entries, 'base64'))
  return format === 'ascii' && starting_offset === 0 && text
}

/** Returns adversarial evidence as the members of verify/evidence, by the document's names. */
export function evidenceRequest(evidence: Members): Members {
  const { attestation_key, tpm_policy, runtime_policy, ima, boot_log, boot_policy, ...rest } =
    writeOut(evidence) as Members
  return {
    ...rest,
    tpm_ak: attestation_key,
    tpm_ek: readFileSync(EK, 'base64'),
    ...(tpm_policy === undefined ? {} : { tpm_policy: JSON.stringify(tpm_policy) }),
    ...(runtime_policy === undefined ? {} : { runtime_policy: JSON.stringify(runtime_policy) }),
    ...(boot_policy === undefined ? {} : { mb_policy: JSON.stringify(boot_policy) }),
    ...(boot_log === undefined ? {} : { mb_list: boot_log }),
    ...(ima === undefined ? {} : { ima_measurement_list: listText(ima as Members) }),
  }
}

/** Returns the list as a JSON string carries it. */
function listText({ entries }: Members): string {
  return Buffer.from(String(entries), 'base64').toString('utf8')
}
