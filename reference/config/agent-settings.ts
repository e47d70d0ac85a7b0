import { API_VERSIONS } from '../api/versions.ts'
import { HASH_NAMES, KEY_KINDS, SIGNING_NAMES } from './algorithms.ts'
import { flag, integer, oneOf, type Setting, text, versions } from './setting-kinds.ts'

/** A pull agent has no endpoints in 3.0, and 2.6 only where it is named. */
const SERVED = API_VERSIONS.filter((version) => version < '2.6')

/** A handle in hexadecimal. */
const handle = (about: string): Setting<number | 'generate'> => ({
  fallback: 'generate',
  read(value) {
    if (value === 'generate') return value
    return /^(0x)?81[0-9a-f]{6}$/i.test(value) ? Number.parseInt(value, 16) : undefined
  },
  wants: 'generate, or a persistent handle in hexadecimal such as 0x81010001',
  about,
})

const keyKinds = Object.keys(KEY_KINDS) as (keyof typeof KEY_KINDS)[]

/** Settings of an agent, by the names that agents in the field have for them. */
export const AGENT_SETTINGS = {
  api_versions: versions(SERVED, 'versions of the API that are listed and served, up to 2.6'),
  port: integer(9002, 1, 65_535, 'TLS port; it is registered before it is open'),
  contact_ip: text('127.0.0.1', 'address that verifier and tenant connect to'),
  contact_port: integer(0, 0, 65_535, 'port that they connect to; 0 is the one above'),
  uuid: text(
    'd432fbb3-d2f1-4a97-9ef7-75bd81c00000',
    'id; generate makes one and keeps it, hash_ek is the hash of the endorsement key',
  ),
  registrar_ip: text('127.0.0.1', 'where the registrar is'),
  registrar_port: integer(8891, 1, 65_535, 'its port'),
  registrar_tls_enabled: flag(true, 'whether that port is under TLS'),
  registrar_tls_ca_cert: text('default', "CA of the registrar; default is the clients' CA"),
  // An agent that is asked registers under the versions it is asked in, one that pushes under 3.0 (ambiguity SAMEREG).
  registrar_api_versions: versions(SERVED, 'versions of the API that it is registered under'),
  exponential_backoff_initial_delay: integer(
    10_000,
    1,
    3_600_000,
    'milliseconds to wait for a registrar that does not answer',
  ),
  exponential_backoff_max_retries: integer(5, 0, 1000, 'times to ask it again'),
  exponential_backoff_max_delay: integer(300_000, 1, 86_400_000, 'milliseconds to wait at most'),
  tcti: text('', 'where the TPM is: swtpm:host=H,port=P, swtpm:path=SOCKET or device:PATH'),
  host_tpm: text('', 'where the TPM of the host is, if that of tcti is virtual; in the same form'),
  tpm_hash_alg: oneOf(HASH_NAMES, 'hash of the PCR bank and of signatures'),
  tpm_encryption_alg: oneOf(keyKinds, 'kind of both keys'),
  tpm_signing_alg: oneOf(SIGNING_NAMES, 'how the attestation key signs'),
  ek_handle: handle('a persistent endorsement key'),
  tpm_ownerpassword: text('', 'password of the endorsement hierarchy, or hex: and its bytes'),
  ima_ml_path: text(
    '/sys/kernel/security/ima/ascii_runtime_measurements',
    'the measurement list in ASCII',
  ),
  measuredboot_ml_path: text(
    '/sys/kernel/security/tpm0/binary_bios_measurements',
    "the firmware's event log",
  ),
  secure_dir: text('', "directory of K and the payload, such as a tmpfs; secure below the agent's"),
  secure_size: integer(1_048_576, 0, 1_073_741_824, 'bytes that the files of a payload may have'),
  enc_keyname: text('derived_tci_key', 'name of the file that K is put in'),
  dec_payload_file: text('decrypted_payload', 'name of the file that the payload is put in'),
  extract_payload_zip: flag(true, 'unpack the payload, which has to be a zip archive then'),
  payload_script: text(
    '',
    'file of the payload that is run, such as autorun.sh; none is unless named',
  ),
  enable_revocation_notifications: flag(false, 'act upon revocation messages'),
  revocation_cert: text('', "certificate that verifies them; by default the payload's"),
  revocation_actions: text('', 'programs that are run upon one, by commas'),
  revocation_actions_dir: text('', "where they are; none is the machine's own unless named"),
  allow_payload_revocation_actions: flag(true, "run those of the payload's action_list too"),
  zlib_quotes: flag(true, 'compress quotes of API 1.0'),
}
