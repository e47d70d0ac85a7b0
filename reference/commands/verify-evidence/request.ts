import { toBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { StartFault } from '../../errors.ts'
import { parseQuoteString } from '../../evidence/quote/quote-string.ts'
import { readAttestationKey } from './attestation-key.ts'
import type { EvidenceOptions } from './options.ts'
import { inputFault, readBytes, readText, readTextOrFile, type Wanted } from './read-input.ts'

/** A body of verify/evidence, and what the verdict cannot say of what was given. */
interface OfflineRequest {
  readonly body: Readonly<Record<string, string>>
  readonly notes: readonly string[]
}

/** Which option a member of the body comes from, and what to give there. */
const OPTION_OF: Readonly<Record<string, Wanted>> = {
  nonce: { option: '--nonce', give: 'the nonce that the verifier chose, 1 to 256 characters' },
  quote: {
    option: '--quote',
    give: 'r<base64 message>:<base64 signature>:<base64 PCR values>, or a file that holds it',
  },
  hash_alg: { option: '--hash-alg', give: 'sha1, sha256, sha384 or sha512' },
  tpm_ak: { option: '--ak', give: 'a TPM2B_PUBLIC (raw or base64) or a public key in PEM' },
  tpm_policy: { option: '--tpm-policy', give: 'JSON such as {"0": ["<hex>"]}' },
  runtime_policy: { option: '--policy', give: 'the JSON of a runtime policy' },
  mb_policy: { option: '--mb-policy', give: 'a JSON object' },
  ima_measurement_list: {
    option: '--ima',
    give: 'the text list, /sys/kernel/security/ima/ascii_runtime_measurements',
  },
  mb_list: { option: '--mb-log', give: 'binary_bios_measurements as the kernel has it' },
}

const UNKNOWN: Wanted = { option: 'the evidence', give: 'what assay verify-evidence --help lists' }

/** The row of a member; a member that no option gives has one that says so. */
function wantedFor(member: string): Wanted {
  return (Object.hasOwn(OPTION_OF, member) ? OPTION_OF[member] : undefined) ?? UNKNOWN
}

/**
 * Reads what the options name into the body that the endpoint would get.
 *
 * @throws {StartFault} with the option whose file cannot be read
 */
export function readRequest(options: EvidenceOptions): OfflineRequest {
  const quote = readTextOrFile(wantedFor('quote'), options.quote, (text) => /^r.*:/.test(text))
  const { tpmAk, note } = readAttestationKey(options.ak, signatureOf(options.quote, quote))
  const notes = [note, ...notesOn(options)].filter((each) => each !== undefined)
  return {
    notes,
    body: {
      nonce: options.nonce,
      quote,
      hash_alg: options.hashAlg,
      tpm_ak: tpmAk,
      // The endpoint asks for it and does not look at it.
      tpm_ek: toBase64(new TextEncoder().encode('not given')),
      ...readOptional(options),
    },
  }
}

function signatureOf(option: string, quote: string): Uint8Array {
  try {
    return parseQuoteString(quote).signature
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const shown = option.length > 60 ? `${option.slice(0, 40)}…` : option
    throw inputFault(wantedFor('quote'), shown, error.message, error)
  }
}

function readOptional(options: EvidenceOptions): Record<string, string> {
  const { ima, policy, tpmPolicy, mbLog, mbPolicy } = options
  const looksLikeJson = (text: string) => text.trimStart().startsWith('{')
  return {
    ...(ima && { ima_measurement_list: readText(wantedFor('ima_measurement_list'), ima) }),
    ...(policy && { runtime_policy: readText(wantedFor('runtime_policy'), policy) }),
    ...(tpmPolicy && {
      tpm_policy: readTextOrFile(wantedFor('tpm_policy'), tpmPolicy, looksLikeJson),
    }),
    ...(mbLog && { mb_list: toBase64(readLog(mbLog)) }),
    ...(mbPolicy && { mb_policy: readText(wantedFor('mb_policy'), mbPolicy) }),
  }
}

function readLog(file: string): Uint8Array {
  const bytes = readBytes(wantedFor('mb_list'), file)
  if (bytes.length === 0) throw inputFault(wantedFor('mb_list'), file, 'it is empty')
  return bytes
}

function notesOn({ ima, policy, tpmPolicy, mbLog, mbPolicy }: EvidenceOptions): string[] {
  const notes: string[] = []
  if (ima && !policy)
    notes.push('no --policy: the IMA list was replayed, and its files were not judged')
  if (mbLog && !mbPolicy)
    notes.push('no --mb-policy: the firmware log was replayed, and its events were not judged')
  if (!ima && !policy && !tpmPolicy && !mbLog && !mbPolicy)
    notes.push('no log and no policy: only the quote itself was judged')
  return notes
}

/** A fault of the option that a refused member came from. */
export function faultOf(pointer: string | undefined, detail: string, cause: unknown): StartFault {
  const member = (pointer ?? '').split('/')[1] ?? ''
  const { option, give } = wantedFor(member)
  return new StartFault(`${option}: ${detail}`, `give ${give}`, cause)
}
