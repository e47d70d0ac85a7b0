import type { Signer } from '../sign/signer.ts'
import { badgeOf } from './badge.ts'
import { type Envelope, keyIdOf, PAYLOAD_TYPE, preAuthenticationEncoding } from './envelope.ts'
import { NAMES, sumsOf } from './kit-files.ts'
import { presentReadme } from './present-readme.ts'
import { type KitFile, makeStatement, payloadOf, type StatementParts } from './statement.ts'

/** The public key of a signer, as a file of the kit. */
export function keyFile({ publicKey }: Signer): KitFile {
  return textFile(NAMES.key, publicKey.export({ type: 'spki', format: 'pem' }).toString())
}

/** Every file of a kit, signed. `parts.files` are those that the statement covers. */
export async function makeKit(
  parts: Omit<StatementParts, 'signed'>,
  signer: Signer,
): Promise<readonly KitFile[]> {
  const whole = { ...parts, signed: signer.how }
  const envelope = await signPayload(Buffer.from(payloadOf(makeStatement(whole))), signer)
  const files = [
    ...parts.files,
    textFile(NAMES.statement, `${JSON.stringify(envelope, null, 1)}\n`),
    textFile(NAMES.badge, badgeOf(whole)),
    textFile(NAMES.readme, presentReadme(whole)),
  ]
  return [...files, textFile(NAMES.sums, sumsOf(files))]
}

export async function signPayload(payload: Uint8Array, signer: Signer): Promise<Envelope> {
  const sig = await signer.sign(preAuthenticationEncoding(payload))
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: keyIdOf(signer.publicKey), sig: Buffer.from(sig).toString('base64') }],
  }
}

export function textFile(path: string, text: string): KitFile {
  return { path, bytes: Buffer.from(text) }
}
