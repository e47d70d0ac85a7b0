import { expect, test } from 'vitest'
import { maskVarying } from './mask-varying.ts'

test.each([
  ['agent 0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3', 'agent <uuid>'],
  ['policy xAssay-0F3C6A52-7D1E-4B8A-9C55-2E4B7F10A6D3A', 'policy xAssay-<uuid>A'],
  ['2026-11-20T16:02:14.201377Z', '<instant>'],
  ['2026-11-20T16:02:14+01:00 and later', '<instant> and later'],
  ['https://127.0.0.1:40211/v3.0/agents', 'https://127.0.0.1:<port>/v3.0/agents'],
  ['http://[::1]:8881', 'http://[::1]:<port>'],
  ['"bWFkZS11cCBmaXJzdCBub25jZQ=="', '"<base64>"'],
  ['9c41d2e8a07b35f6c1e94d7a20b8536f', '<base64>'],
])('%s is %s', (text, masked) => {
  expect(maskVarying(text)).toBe(masked)
})

test.each([
  'broken_evidence_chain',
  'seconds_to_next_attestation',
  'InvalidCertificateError',
  'internationalization',
  'TPM_ALG_SHA256',
  '18446744073709551615',
  'port 8891',
  '500',
])('%s is not masked, since the subject may have changed it', (text) => {
  expect(maskVarying(text)).toBe(text)
})
