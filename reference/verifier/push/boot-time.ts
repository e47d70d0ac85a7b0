import { timestamp } from '../../platform/clock.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.]\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/

/**
 * An ISO 8601 instant in UTC, so that equal instants are equal texts; undefined for any other text. Without a zone, which
 * ISO 8601 does not require, it is in UTC, whatever the zone of this machine is.
 */
export function instantOf(text: string): string | undefined {
  const [all, , , zone] = INSTANT.exec(text) ?? []
  if (all === undefined) return undefined
  const instant = Date.parse(zone === undefined ? `${all}Z` : all)
  return Number.isNaN(instant) ? undefined : timestamp(instant)
}
