import { p384KeyOf } from '../sev-snp/p384.ts'
import { makeSnpEvidence, type SnpRecipe } from '../sev-snp/snp-evidence.ts'
import { DEBUGGED, SNP_FAULTS } from '../sev-snp/snp-faults.ts'
import { stretch } from '../soft/keys.ts'

/** Returns the text of `fixtures/sev-snp/reports.json`: a right report, and one with each fault, of the same guest. */
export function presentReports(): string {
  const { x, y } = p384KeyOf('guest of the vectors')
  const nonce = stretch('nonce of the vectors', 32)
  const evidenceOf = (recipe?: Partial<SnpRecipe>) => {
    const { report, vcek } = makeSnpEvidence({ nonce, x, y }, recipe)
    return { report: base64(report), vcek: base64(vcek) }
  }
  const usual = evidenceOf()
  const faults = [...SNP_FAULTS, { name: 'debug', recipe: DEBUGGED }]
  const rows = faults.map(({ name, recipe }) => {
    const { report, vcek } = evidenceOf(recipe)
    const changed = {
      ...(report !== usual.report && { report }),
      ...(vcek !== usual.vcek && { vcek }),
    }
    return `    ${JSON.stringify(name)}: ${JSON.stringify(changed)}`
  })
  const guest = { nonce: base64(nonce), x: base64(x), y: base64(y) }
  return [
    '{',
    `  "guest": ${JSON.stringify(guest)},`,
    `  "usual": ${JSON.stringify(usual)},`,
    `  "faults": {\n${rows.join(',\n')}\n  }`,
    '}\n',
  ].join('\n')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
