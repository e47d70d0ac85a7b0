import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import { readCatalogueFile } from '../spec/read-catalogue-file.ts'
import type { RouteRow } from './route-row.ts'

const FILE = join(packageRoot(), 'conformance', 'spec', 'matrices', 'routes.yaml')

/** Every row of the judge's route table; a test holds it to the document, the dialects and the catalogue. */
export function loadRoutes(file: string = FILE): readonly RouteRow[] {
  return readCatalogueFile(readFileSync(file, 'utf8'))['rows'] as unknown as readonly RouteRow[]
}

/** Read once: every client of a run stands on it. */
export const ROUTES: readonly RouteRow[] = loadRoutes()
