import { escapeHtml } from '../../../conformance/report/html/escape.ts'
import { compareVersions } from '../../../conformance/report/outcomes.ts'
import type { StatementParts } from './statement.ts'

const LABEL = 'Assay certificate'
/** Width of a character of the font, and the margin of a half, in pixels. */
const CHARACTER = 6.5
const MARGIN = 10

/** A badge with the profile and its versions. */
export function badgeOf(parts: StatementParts): string {
  const text = `${parts.catalogue.profile.name} ${versionsOf(parts)}`
  const [left, right] = [LABEL, text].map((one) => Math.ceil(one.length * CHARACTER) + 2 * MARGIN)
  const [first = 0, second = 0] = [left, right]
  const words = escapeHtml(text)
  const font = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="20" role="img" aria-label="${LABEL}: ${words}">
  <title>${LABEL}: ${words}</title>
  <rect width="${first}" height="20" fill="#444"/>
  <rect x="${first}" width="${second}" height="20" fill="#27632a"/>
  <g text-anchor="middle" ${font}>
    <text x="${first / 2}" y="14">${LABEL}</text>
    <text x="${first + second / 2}" y="14">${words}</text>
  </g>
</svg>
`
}

/** The tested versions of the profile, as a range or as one. */
export function versionsOf({ runs }: Pick<StatementParts, 'runs'>): string {
  const parts = runs[0]?.result.scope?.parts ?? []
  const versions = [...new Set(parts.flatMap((part) => part.versions))].toSorted(compareVersions)
  const [first = '', last = ''] = [versions[0], versions.at(-1)]
  return first === last ? first : `${first}–${last}`
}
