import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer } from '../../api/call.ts'

/** The page and its two files, as they are sent. */
export interface PageFiles {
  readonly html: Answer
  readonly style: Answer
  readonly script: Answer
}

/** The page loads its own two files and talks to its own server, and to nothing else. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export function loadPageFiles(): PageFiles {
  const folder = join(rootOf(fileURLToPath(import.meta.url)), 'reference/tenant/web/page')
  const file = (name: string, type: string): Answer => ({
    body: readFileSync(join(folder, name), 'utf8'),
    headers: { ...HEADERS, 'content-type': `${type}; charset=utf-8` },
  })
  return {
    html: file('page.html', 'text/html'),
    style: file('page.css', 'text/css'),
    script: file('page.js', 'text/javascript'),
  }
}

/** The folder of package.json, from the sources and from a build. */
function rootOf(path: string): string {
  const folder = dirname(path)
  return existsSync(join(folder, 'package.json')) ? folder : rootOf(folder)
}
