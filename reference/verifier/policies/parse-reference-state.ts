import { parseReferenceState } from '../../evidence/uefi/policy/reference-state.ts'
import { readMember } from '../shapes/read-member.ts'
import type { ReadState } from './remember-policies.ts'

/**
 * The text of an agent's measured boot reference state; null for none, and for an empty one, which
 * asks for nothing.
 *
 * @param member its name in the refusal
 * @param read reads it, with this name in its messages
 */
export function askedReferenceState(
  text: string | undefined,
  member = 'mb_refstate',
  read: ReadState = (one) => parseReferenceState(one, member),
): string | null {
  if (text === undefined) return null
  readMember(member, () => read(text))
  return asksForNothing(text) ? null : text
}

/**
 * The text, if a verifier can use it; an empty object counts.
 *
 * @throws {ApiError} `malformed_request`, naming the place inside the text
 */
export function readReferenceState(text: string, member = 'mb_refstate'): string {
  readMember(member, () => parseReferenceState(text, member))
  return text
}

/** Whether a reference state is an empty object. */
export function asksForNothing(text: string): boolean {
  return Object.keys(JSON.parse(text)).length === 0
}
