import { writeFileSync } from 'node:fs'
import { bootstrapKeysPage } from './bootstrap-keys.ts'
import { operationalStatesPage } from './operational-states.ts'
import { pushAgentPage } from './push-agent.ts'
import { settingsPage } from './settings.ts'

const DOCS = new URL('../../docs/', import.meta.url)

/** Prints the pages of docs/ that are made from code. */
writeFileSync(new URL('operational-states.md', DOCS), operationalStatesPage())
writeFileSync(new URL('bootstrap-keys.md', DOCS), bootstrapKeysPage())
writeFileSync(new URL('push-agent.md', DOCS), pushAgentPage())
writeFileSync(new URL('settings.md', DOCS), settingsPage())
