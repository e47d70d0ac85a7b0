/** Values that differ between any two runs of the same subject. */

/** A name may go on after it. */
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g
const PORT = /(\b[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[^\s/:?#"'<>]+)):\d{1,5}\b/gi
const BLOB = /[A-Za-z0-9+/]{16,}={0,2}/g

/** Base64 has upper and lower case and a digit or sign, hex has a digit; a long word or a path has neither. */
const isBlob = (text: string): boolean =>
  (/[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9+=]/.test(text)) ||
  (/^[0-9a-f]{32,}$/i.test(text) && /\d/.test(text))

/**
 * The text with UUIDs, instants, ports of URLs and base64 of at least 16 characters (hex of 32) replaced by their
 * type, e.g. `agent <uuid>`. A word that only looks like base64, such as `broken_evidence_chain`, stays.
 */
export const maskVarying = (text: string): string =>
  text
    .replace(UUID, '<uuid>')
    .replace(INSTANT, '<instant>')
    .replace(PORT, '$1:<port>')
    .replace(BLOB, (found) => (isBlob(found) ? '<base64>' : found))
