import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'
import { cliPage } from './cli-page.ts'
import { keylimePage } from './keylime-page.ts'

writeFileSync(join(packageRoot(), 'docs', 'cli.md'), await cliPage())
writeFileSync(join(packageRoot(), 'docs', 'keylime-configuration.md'), keylimePage())
