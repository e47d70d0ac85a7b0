import { expect, test } from 'vitest'
import { present } from '../api/reply-shape.ts'
import { API_VERSIONS } from '../api/versions.ts'
import { registrationRow } from '../dev/testing/storage/rows.ts'
import { REGISTRATION_RECORD } from './present-registration.ts'

const ROW = registrationRow({ mtls_cert: 'PEM', ip: '192.0.2.1', port: 9002 })
const IN_EACH = {
  aik_tpm: 'AIK',
  ek_tpm: 'EK',
  ekcert: null,
  ip: '192.0.2.1',
  port: 9002,
  regcount: 1,
}

test.each(API_VERSIONS)('in %s a registration has the members of that version', (version) => {
  const added = version === '1.0' ? {} : { mtls_cert: 'PEM' }
  expect(present(REGISTRATION_RECORD, ROW, version)).toEqual({ ...IN_EACH, ...added })
})
