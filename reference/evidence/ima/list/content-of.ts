import { WireError } from '../../../bytes/wire-error.ts'
import type { ImaEntry } from './entry.ts'
import { readContent, type Template } from './templates.ts'

/** What the fields of template data say, or why they say nothing. */
export function contentOf(template: Template, data: Buffer): ImaEntry['content'] {
  try {
    return readContent(template, data)
  } catch (error) {
    if (error instanceof WireError) return { invalid: error.message }
    throw error
  }
}
