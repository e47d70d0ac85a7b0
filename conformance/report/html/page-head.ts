import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'
import { type Html, html, ours } from './escape.ts'

/** A file of this folder. */
export const readOwn = (name: string): string =>
  readFileSync(join(packageRoot(), 'conformance/report/html', name), 'utf8')

/** The stylesheet and the script of a page. */
export interface Assets {
  readonly style: string
  readonly script?: string
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Only this stylesheet and this script, and neither may load anything. */
const policyOf = ({ style, script }: Assets): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The head of a self-contained page. */
export const headOf = (title: string, version: string, assets: Assets): Html => html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ours(policyOf(assets))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Assay ${version}">
<title>${title}</title>
<style>${ours(assets.style)}</style>
</head>`
