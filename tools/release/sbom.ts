import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from './build-package.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>
}

interface Bom {
  readonly components: readonly { readonly 'bom-ref': string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** The packages of a lock file that users need, as npm names them in an SBOM. */
function shippedRefs({ packages }: Lock): ReadonlySet<string> {
  const shipped = Object.entries(packages).filter(([, { dev }]) => dev !== true)
  const nameOf = (path: string) => path.split('node_modules/').at(-1)
  return new Set(shipped.map(([path, { version }]) => `${nameOf(path)}@${version}`))
}

/**
 * The CycloneDX document of the packages that a package contains or installs, of its lock file. `--omit dev` of npm is
 * not used: npm 11 leaves out packages, such as commander, that a development package needs too.
 */
export async function sbomOf(checkout: string): Promise<string> {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const bom: Bom = JSON.parse(await outputOf('npm', words, checkout))
  const refs = shippedRefs(JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')))
  const components = bom.components.filter((component) => refs.has(component['bom-ref']))
  const left = new Set(components.map((component) => component['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => left.has(ref) || !bom.components.some((one) => one['bom-ref'] === ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => left.has(on)) }))
  return `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`
}
