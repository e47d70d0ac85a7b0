/**
 * Runs an entry point of a build in a worker thread: `new Worker(<this file>, { argv: [<folder of the build>, <entry point>] })`.
 */
import { loadBuild } from './load-build.js'

const [, , build = '', entry = ''] = process.argv
await loadBuild(build, entry, entry)
