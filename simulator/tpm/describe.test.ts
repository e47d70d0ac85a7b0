import { expect, test } from 'vitest'
import { EMPTY_PASSWORD, writeCommand } from './command.ts'
import { TPM_ALG, TPM_CC } from './constants.ts'
import { describe as describeCommand } from './describe.ts'
import { selectPcrs, writePcrSelections } from './pcr-selection.ts'
import { cat, filled, fromHex, tpm2b, u16, u32 } from './write.ts'

const OK = fromHex('80010000000a00000000')

function quoteCommand(selections: Uint8Array): Uint8Array {
  const parameters = cat(tpm2b(filled(16)), u16(TPM_ALG.NULL), selections)
  const sessions = [EMPTY_PASSWORD]
  return writeCommand({ code: TPM_CC.Quote, handles: [0x81010002], sessions, parameters })
}

test('a quote is described by its selection and the length of its nonce', () => {
  const selections = writePcrSelections([
    selectPcrs('sha1', [10]),
    selectPcrs('sha256', [0, 1, 2, 3, 9, 14]),
  ])
  expect(describeCommand(quoteCommand(selections), OK)).toBe(
    'sha1: 10; sha256: 0-3,9,14; 16-byte qualifyingData',
  )
})

test('a truncated selection is described as malformed, with the byte', () => {
  const cut = writePcrSelections([selectPcrs('sha256', [10])]).subarray(0, 9)
  expect(describeCommand(quoteCommand(cut), OK)).toMatch(/^malformed, command at byte 54: 3 byte/)
})

test('an object that a command created is named by its handle', () => {
  const parameters = cat(tpm2b(filled(16)), u16(0), fromHex('01'), u16(TPM_ALG.NULL), u16(11))
  const handles = [0x40000007, 0x40000007]
  const command = writeCommand({ code: TPM_CC.StartAuthSession, handles, parameters })
  const response = cat(fromHex('80010000001000000000'), u32(0x03000000))
  expect(describeCommand(command, response)).toBe('policy session -> 0x03000000')
})

test('permanent handles have their names', () => {
  const command = writeCommand({ code: TPM_CC.PolicySecret, handles: [0x4000000b, 0x03000000] })
  expect(describeCommand(command, OK)).toBe('TPM_RH_ENDORSEMENT for 0x03000000')
})

test('a command without a description has no detail', () => {
  expect(describeCommand(writeCommand({ code: TPM_CC.SelfTest }), OK)).toBe('')
})
