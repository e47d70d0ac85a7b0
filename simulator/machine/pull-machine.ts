import { BANKS, type Bank, digest } from '../tpm/hash.ts'
import { text } from '../tpm/write.ts'
import type { Machine } from './machine.ts'
import type { StubMachine } from './stub-machine.ts'

type Shared = 'name' | 'ek' | 'ak' | 'ima' | 'uefi' | 'quote' | 'activateCredential' | 'bootTime'
type Acting = 'measure' | 'violate' | 'extend' | 'append' | 'reboot' | 'suspend' | 'play'

/** The parts of a machine that a pull agent uses, with or without a TPM. */
export interface PullMachine extends Pick<Machine & StubMachine, Shared | Acting> {
  readonly tpm: Pick<Machine['tpm'], 'pcrExtend' | 'pcrReset'>
}

/** The PCR that binds the node key to the quote (interface document, "Pull-mode agent resources"). */
export const KEY_PCR = 16

/** Returns the digest of a node key's PEM text in each bank. */
export function keyDigests(pem: string): Readonly<Record<Bank, Uint8Array>> {
  const of = (bank: Bank) => [bank, digest(bank, text(pem))] as const
  return Object.fromEntries(BANKS.map(of)) as Record<Bank, Uint8Array>
}

/** Measures a node key again: resets PCR 16 and extends it with the key only. */
export async function bindNodeKey(
  { tpm }: PullMachine,
  digests: ReturnType<typeof keyDigests>,
): Promise<void> {
  await tpm.pcrReset(KEY_PCR)
  await tpm.pcrExtend(KEY_PCR, digests)
}
