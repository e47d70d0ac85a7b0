import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

const isCheckout = (root: string): boolean => existsSync(join(root, 'conformance', 'cli.ts'))

/** What a person types to start Assay: in a checkout its script, for an installed package npx. */
export const ownCommand = (root: string = packageRoot()): string =>
  isCheckout(root) ? 'node bin/assay.js' : 'npx assay'

/** What a person types for a run. */
export const ownRun = (root: string = packageRoot()): string =>
  isCheckout(root) ? 'npm start --' : `${ownCommand(root)} run`
