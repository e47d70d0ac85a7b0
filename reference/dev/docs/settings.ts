import { type Component, settingsOf } from '../../config/config.ts'
import type { Value } from '../../config/setting-kinds.ts'
import { code, table } from './markdown.ts'

const TITLES: Readonly<Record<Component, string>> = {
  verifier: 'Verifier',
  registrar: 'Registrar',
  agent: 'Pull agent',
  'push-agent': 'Push agent',
  tenant: 'Tenant',
}

const COMPONENTS = Object.keys(TITLES) as readonly Component[]

function presentDefault(value: Value): string {
  if (value === '') return 'empty'
  if (typeof value === 'boolean') return code(value ? 'True' : 'False')
  if (!Array.isArray(value)) return code(String(value))
  const isText = value.every((each) => typeof each === 'string')
  return code(isText ? value.join(', ') : JSON.stringify(value))
}

/** Text of a cell: a vertical bar would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function section(component: Component): string {
  const rows = Object.entries(settingsOf(component)).map(([name, setting]) =>
    [code(name), presentDefault(setting.fallback), setting.wants, setting.about].map(cell),
  )
  const head = ['setting', 'default', 'takes', 'meaning']
  return `## ${TITLES[component]}\n\nSection \`[${component}]\`.\n\n${table(head, rows)}`
}

/** docs/settings.md: every setting of every component of the reference. */
export function settingsPage(): string {
  const parts = [
    '# Settings of the reference',
    '`npm run docs` prints this page from the code.',
    'A component reads its section of an INI file (`--config FILE`), and then `--set NAME=VALUE` from the command line.',
    ...COMPONENTS.map(section),
  ]
  return `${parts.join('\n\n')}\n`
}
