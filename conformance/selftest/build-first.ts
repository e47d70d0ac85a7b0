import { pathToFileURL } from 'node:url'
import { stop } from 'esbuild'
import { ensureBuilt } from '../../bin/bootstrap/build.js'
import { shippedBundles } from '../../bin/bootstrap/entries.js'
import { packageRoot } from '../package-root.ts'

/** Builds what ships before the first test: tests run the sources, and what they start runs the build. */
export async function setup(): Promise<void> {
  const root = pathToFileURL(`${packageRoot()}/`)
  for (const bundle of shippedBundles(root)) {
    const name = bundle.name.toUpperCase().replaceAll('-', '_')
    process.env[`ASSAY_BUILD_${name}`] = await ensureBuilt(root, bundle)
  }
  // Its process would stay as long as this one.
  await stop()
}
