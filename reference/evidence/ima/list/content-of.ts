import { WireError } from '../../../bytes/wire-error.ts'
import type { ImaEntry } from './entry.ts'
import { readContent, type Template } from './templates.ts'

/** The decoded fields of template data, or the reason why they cannot be decoded. */
export function contentOf(template: Template, data: Buffer): ImaEntry['content'] {
  try {
    return readContent(template, data)
  } catch (error) {
    if (error instanceof WireError) return { invalid: error.message }
    throw error
  }
}
