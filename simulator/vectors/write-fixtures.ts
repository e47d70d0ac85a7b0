import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { presentSection } from './form.ts'
import { manifestOf } from './manifest.ts'
import { makersPem, processorMakerPem } from './registration/makers.ts'
import { SECTIONS } from './sections.ts'
import { presentReports } from './sev-snp.ts'

/**
 * `node bin/dev.js simulator/vectors/write-fixtures.ts` writes the adversarial evidence, then
 * fixtures/MANIFEST.json.
 */
const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
mkdirSync(`${fixtures}/adversarial`, { recursive: true })
for (const [file, make] of Object.entries(SECTIONS)) {
  const section = make()
  writeFileSync(`${fixtures}/adversarial/${file}`, presentSection(section))
  console.log(`${file}: ${section.variants.length} variants`)
}
mkdirSync(`${fixtures}/makers`, { recursive: true })
writeFileSync(`${fixtures}/makers/e5-registration.pem`, makersPem())
writeFileSync(`${fixtures}/makers/sev-snp.pem`, processorMakerPem())
mkdirSync(`${fixtures}/sev-snp`, { recursive: true })
writeFileSync(`${fixtures}/sev-snp/reports.json`, presentReports())
writeFileSync(`${fixtures}/MANIFEST.json`, `${JSON.stringify(manifestOf(fixtures), null, 2)}\n`)
