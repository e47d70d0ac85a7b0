import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { toHex } from '../tpm/write.ts'
import { writeAsciiEntry } from './ascii.ts'
import { keyringOf, makeFileSigner, signedFileEntry } from './file-signer.ts'

const PATH = '/usr/bin/signed'

test('a signed file is listed with a header, the key id and a signature of its content', () => {
  const signer = makeFileSigner()
  const line = Buffer.from(writeAsciiEntry(signedFileEntry(PATH, signer))).toString()
  const attribute = Buffer.from(line.trimEnd().split(' ').at(-1) ?? '', 'hex')
  const id = signer.keyId.toString(16).padStart(8, '0')
  expect(toHex(attribute.subarray(0, 7))).toBe(`030204${id}`)
  expect(attribute.readUInt16BE(7)).toBe(attribute.length - 9)
  const key = createPublicKey({ key: Buffer.from(signer.publicDer), format: 'der', type: 'spki' })
  expect(verify('sha256', Buffer.from(PATH), key, attribute.subarray(9))).toBe(true)
  expect(verify('sha256', Buffer.from(`${PATH}.`), key, attribute.subarray(9))).toBe(false)
})

test('a keyring names each key by its id, in one order', () => {
  const signers = [makeFileSigner(), makeFileSigner()]
  const { keyids, pubkeys } = JSON.parse(keyringOf(signers))
  expect(keyids).toEqual(signers.map(({ keyId }) => keyId))
  expect(pubkeys.map((each: string) => toHex(new Uint8Array(Buffer.from(each, 'base64'))))).toEqual(
    signers.map(({ publicDer }) => toHex(publicDer)),
  )
})
