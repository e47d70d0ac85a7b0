import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { manifestOf } from './manifest.ts'

/** `node bin/dev.js simulator/vectors/write-manifest.ts` writes fixtures/MANIFEST.json. */
const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
writeFileSync(`${fixtures}/MANIFEST.json`, `${JSON.stringify(manifestOf(fixtures), null, 2)}\n`)
