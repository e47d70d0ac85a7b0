import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'
import { readYaml } from '../../input/read-yaml.ts'
import type { RouteRow } from './route-row.ts'

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'routes.yaml')

/** Every row of the harness's route table; a test compares it with the document, the dialects and the catalogue. */
function loadRoutes(file: string = FILE): readonly RouteRow[] {
  return (readYaml(file) as { readonly rows: readonly RouteRow[] }).rows
}

/** The route table, loaded once for all clients. */
export const ROUTES: readonly RouteRow[] = loadRoutes()
