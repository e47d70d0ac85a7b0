import type { Finding } from '../../evidence/findings.ts'

const MOST = 160

/** A message without what differs from input to input: numbers, digits, quoted text. */
export function plain(message: string): string {
  return message
    .slice(0, 4 * MOST)
    .replace(/"(?:[^"\\]|\\.)*"?/g, '""')
    .replace(/0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+/g, '#')
    .replace(/(?:#[,+:]? ?)+/g, '# ')
    .slice(0, MOST)
}

/** The name of a template in a failure type, of which there are as many as anybody likes. */
const TEMPLATE = /(?<=^ima\.validation)\..*\.(?=[a-z_]+$)/

/** What findings say, each once: their check, and their type or message. */
export function saidBy(findings: readonly Finding[]): readonly string[] {
  const said = findings.map(({ type, context }) => {
    const check = typeof context.check === 'string' ? context.check : ''
    return `${check} ${type.replace(TEMPLATE, '.*.')}: ${plain(context.message)}`
  })
  return [...new Set(said)].sort()
}
