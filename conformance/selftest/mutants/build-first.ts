import { pathToFileURL } from 'node:url'
import { stop } from 'esbuild'
import { ensureBuilt } from '../../../bin/bootstrap/build.js'
import { developmentBundle, shippedBundles } from '../../../bin/bootstrap/entries.js'
import { packageRoot } from '../../input/package-root.ts'

/** Ten of these start at a time, each with a deadline that is too short for a build. */
const STARTED_TOGETHER = ['reference/dev/mutants/main.ts', 'reference/dev/mutants/host.ts']

/** Builds the product before the first test: tests run the sources, and the processes they start run the build. */
export async function setup(): Promise<void> {
  const root = pathToFileURL(`${packageRoot()}/`)
  for (const bundle of shippedBundles(root)) {
    const name = bundle.name.toUpperCase().replaceAll('-', '_')
    process.env[`ASSAY_BUILD_${name}`] = await ensureBuilt(root, bundle)
  }
  for (const source of STARTED_TOGETHER) await ensureBuilt(root, developmentBundle(root, source))
  // The build service would stay as long as this process.
  await stop()
}
