import { expect, test } from 'vitest'
import { responseCodeName } from './response-code.ts'

test.each([
  [0x000, 'TPM_RC_SUCCESS'],
  [0x01e, 'TPM_RC_BAD_TAG'],
  [0x100, 'TPM_RC_INITIALIZE'],
  [0x142, 'TPM_RC_COMMAND_SIZE'],
  [0x143, 'TPM_RC_COMMAND_CODE'],
  [0x09a, 'TPM_RC_INSUFFICIENT'],
  [0x18b, 'TPM_RC_HANDLE (handle 1)'],
  [0x1df, 'TPM_RC_INTEGRITY (parameter 1)'],
  [0x98e, 'TPM_RC_AUTH_FAIL (session 1)'],
  [0x902, 'TPM_RC_OBJECT_MEMORY'],
  [0x908, 'TPM_RC_YIELDED'],
  [0x90a, 'TPM_RC_TESTING'],
  [0x910, 'TPM_RC_REFERENCE_H0'],
  [0x918, 'TPM_RC_REFERENCE_S0'],
  [0x922, 'TPM_RC_RETRY'],
  [0x17f, 'TPM_RC 0x0000017f'],
])('%i is %s', (code, name) => {
  expect(responseCodeName(code)).toBe(name)
})
