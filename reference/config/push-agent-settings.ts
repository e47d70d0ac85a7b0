import { DOCUMENTED_VERSIONS } from '../api/versions.ts'
import { AGENT_SETTINGS } from './agent-settings.ts'
import { integer, oneOf, text, versions } from './setting-kinds.ts'
import { SUBJECT_FORMS } from './subject-form.ts'

const {
  uuid,
  registrar_ip,
  registrar_port,
  registrar_tls_enabled,
  exponential_backoff_initial_delay,
  exponential_backoff_max_delay,
  tcti,
  tpm_hash_alg,
  tpm_encryption_alg,
  tpm_signing_alg,
  ek_handle,
  tpm_ownerpassword,
  ima_ml_path,
  measuredboot_ml_path,
} = AGENT_SETTINGS

/** Settings of a push agent, by the names that agents in the field have for them. */
export const PUSH_AGENT_SETTINGS = {
  state_dir: text('assay-state', 'directory of the agent, and of the CA of its servers'),
  log_level: oneOf(['info', 'debug', 'warn', 'error', 'silent'], 'what goes to the log on stdout'),
  uuid,
  verifier_url: text('https://localhost:8881', 'where the verifier is; https alone'),
  verifier_tls_ca_cert: text('default', "its CA; default is state_dir's cv_ca/cacert.crt"),
  registrar_ip,
  registrar_port,
  registrar_tls_enabled,
  registrar_tls_ca_cert: text('default', "its CA; default is the verifier's"),
  registrar_api_versions: versions(DOCUMENTED_VERSIONS, 'versions that it may register under'),
  attestation_interval_seconds: integer(
    60,
    1,
    86_400,
    'seconds between attestations, where the verifier suggests none',
  ),
  attestation_interval_min_seconds: integer(
    1,
    1,
    86_400,
    'seconds that the verifier may suggest at least',
  ),
  attestation_interval_max_seconds: integer(
    3600,
    1,
    86_400,
    'seconds that the verifier may suggest at most',
  ),
  exponential_backoff_initial_delay,
  exponential_backoff_max_delay,
  exponential_backoff_jitter_percent: integer(
    25,
    0,
    100,
    'percent of a delay that are left to chance',
  ),
  request_timeout: integer(5000, 1, 600_000, 'milliseconds that an answer may take'),
  tcti,
  tpm_hash_alg,
  tpm_encryption_alg,
  tpm_signing_alg,
  ek_handle,
  tpm_ownerpassword,
  certification_keys_server_identifier: text('ak', 'name of the attestation key'),
  subject_form: oneOf(
    SUBJECT_FORMS,
    'how PCRs are offered: the list of the document, or by_bank as deployed verifiers take them',
  ),
  ima_ml_path,
  measuredboot_ml_path,
}
