import { stop } from 'esbuild'
import { bundleReference } from './built.ts'

/**
 * Before the first test: where `ASSAY_BUILT` says that everything is compiled, what ships is put into one file as well, and
 * every command that a test starts runs that. Most of what a short command costs is the loading of a thousand files.
 */
export async function setup(): Promise<void> {
  if ((process.env['ASSAY_BUILT'] ?? '') === '') return
  bundleReference()
  // Its process would stay as long as this one.
  await stop()
  process.env['ASSAY_BUILT'] = 'bundled'
}
