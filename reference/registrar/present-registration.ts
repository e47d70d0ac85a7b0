import { columns, type ReplyShape } from '../api/reply-shape.ts'
import type { RegistrationRow } from '../storage/databases/database.ts'

/** Interface document, "Registrar agent record"; `mtls_cert` came with 2.0. */
export const REGISTRATION_RECORD: ReplyShape<RegistrationRow> = [
  ...columns<RegistrationRow>('aik_tpm', 'ek_tpm', 'ekcert'),
  { name: 'mtls_cert', since: '2.0', of: (row) => row.mtls_cert },
  ...columns<RegistrationRow>('ip', 'port', 'regcount'),
]
