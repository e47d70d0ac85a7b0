import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { presentSection } from './form.ts'
import { manifestOf } from './manifest.ts'
import { SECTIONS } from './sections.ts'

/** `npx tsx simulator/vectors/write-fixtures.ts`: writes the adversarial evidence anew, then fixtures/MANIFEST.json. */
const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
mkdirSync(`${fixtures}/adversarial`, { recursive: true })
for (const [file, make] of Object.entries(SECTIONS)) {
  const section = make()
  writeFileSync(`${fixtures}/adversarial/${file}`, presentSection(section))
  console.log(`${file}: ${section.variants.length} variants`)
}
writeFileSync(`${fixtures}/MANIFEST.json`, `${JSON.stringify(manifestOf(fixtures), null, 2)}\n`)
