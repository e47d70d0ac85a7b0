import { parseTpm2bPublic, type TPMT_PUBLIC, writePublic } from '../../tpm/public.ts'
import { tpm2b } from '../../tpm/write.ts'
import type { JsonObject } from '../form.ts'

/** Body of a registration, its members by their names on the wire. */
export type Registration = JsonObject

/** One registration that differs from a good one in one place. */
export interface RegistrationVariant {
  /** Number of the case in the list of adversarial inputs. */
  readonly case: number
  readonly id: string
  readonly what: string
  /** Name of the good registration. */
  readonly of: string
  /** Members that take the place of the good one's. */
  readonly change: Registration
  /** `either`: it may be taken or refused, but always the same, and never with a fault of the server. */
  readonly outcome: 'refused' | 'accepted' | 'either'
  /** Part of the reason for which the reference refuses it; absent where it takes it. */
  readonly code?: string
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** The same TPM2B_PUBLIC with one thing changed inside. */
export function alterPublic<Kind extends TPMT_PUBLIC['type']>(
  tpm2bPublic: Uint8Array,
  kind: Kind,
  change: (
    key: Extract<TPMT_PUBLIC, { type: Kind }>,
  ) => Partial<Extract<TPMT_PUBLIC, { type: Kind }>>,
): string {
  const key = parseTpm2bPublic(tpm2bPublic)
  if (key.type !== kind) throw new Error(`the key to alter is of type ${key.type}, not ${kind}`)
  const own = key as Extract<TPMT_PUBLIC, { type: Kind }>
  return base64(tpm2b(writePublic({ ...own, ...change(own) })))
}
