import { parseTpm2bPublic, type TPMT_PUBLIC, writePublic } from '../../tpm/public.ts'
import { tpm2b } from '../../tpm/write.ts'
import type { JsonObject } from '../form.ts'

/** Body of a registration with its wire names. */
export type Registration = JsonObject

/** A registration that differs from a valid one in one place. */
export interface RegistrationVariant {
  /** Number of the case in the list of adversarial inputs. */
  readonly case: number
  readonly id: string
  readonly what: string
  /** Name of the valid registration. */
  readonly of: string
  /** Members that replace those of the valid one. */
  readonly change: Registration
  /** `either`: it may be accepted or refused, but consistently, and never with a server error. */
  readonly outcome: 'refused' | 'accepted' | 'either'
  /** Part of the reason for which the reference refuses it; absent if it accepts it. */
  readonly code?: string
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Returns the same TPM2B_PUBLIC with one change inside. */
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
