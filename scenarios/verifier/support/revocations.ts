import { constants, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import type { PullAgent } from '../../../conformance/client/agents/pull-agent.ts'
import { outside } from '../../../conformance/recording/outside.ts'
import type { Context } from '../../../conformance/scenario.ts'

/** The key that signs the revocation messages of an agent. */
interface RevocationKey {
  readonly privatePem: string
  readonly publicKey: KeyObject
}

const BITS = 2048
const made: RevocationKey[] = []

/** Creates two RSA keys for the whole run, since key generation is slow; returns the one of that number. */
export function makeRevocationKey(number: 0 | 1): RevocationKey {
  return outside(() => {
    const key = made[number] ?? freshKey()
    made[number] = key
    return key
  })
}

function freshKey(): RevocationKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: BITS })
  return { privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey }
}

export interface Message {
  readonly msg: string
  readonly signature: string
}

function readMessage(body: string): Message | undefined {
  try {
    const { msg, signature } = JSON.parse(body)
    return typeof msg === 'string' && typeof signature === 'string' ? { msg, signature } : undefined
  } catch {
    return undefined
  }
}

/** RSA-PSS with SHA-256 over the text of the message. */
function isSigned({ msg, signature }: Message, key: KeyObject): boolean {
  const how = {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_AUTO,
  }
  return verify('sha256', Buffer.from(msg), how, Buffer.from(signature, 'base64'))
}

/** The messages about one agent that each of some agents received; those of concurrent scenarios arrive too. */
export function messagesAbout(
  { id }: PullAgent,
  agents: readonly PullAgent[],
): readonly (readonly Message[])[] {
  return agents.map(({ asked }) =>
    asked
      .filter(({ operation }) => operation === 'revocation')
      .flatMap(({ body }) => readMessage(body) ?? [])
      .filter(({ msg }) => msg.includes(id)),
  )
}

/** Checks that messages about an agent are signed by its revocation key, if there are any. */
export function checkSigned(
  { check }: Pick<Context, 'check'>,
  what: string,
  messages: readonly Message[],
  { publicKey }: RevocationKey,
): void {
  if (messages.length === 0) return
  for (const requirement of ['EVT-REVOCATION-SIGNED', 'VER-ADD-REVOCATION-KEY'])
    check(requirement, `whether each message ${what} is signed by its revocation key`)
      .of(messages.map((message) => isSigned(message, publicKey)))
      .is(messages.map(() => true))
}
