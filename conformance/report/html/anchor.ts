import type { ScenarioResult } from '../result.ts'
import { type Html, html } from './escape.ts'

const safe = (text: string): string =>
  text.replace(/[^A-Za-z0-9.-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`)

type Place = Pick<ScenarioResult, 'role' | 'id' | 'version'>

/** The fragment of a scenario under one version. */
export const scenarioAnchor = ({ role, id, version }: Place): string =>
  `s-${role}-${safe(version)}-${safe(id)}`

/** The fragment of entry `index` of a scenario's transcript. */
export const entryAnchor = (scenario: Place, index: number): string =>
  `${scenarioAnchor(scenario)}-entry-${index + 1}`

/** The fragment of a family of scenarios of a role. */
export const familyAnchor = (role: string, name: string): string => `f-${role}-${safe(name)}`

/** The fragment of a requirement row. */
export const requirementAnchor = (id: string): string => `r-${safe(id)}`

/** An id that wraps after its dots, not inside its words. */
export const breakable = (id: string): Html =>
  html`<code>${id.split('.').map((part, at) => html`${at > 0 && html`.<wbr>`}${part}`)}</code>`
