import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'
import { editMember } from './edit-member.ts'

export const FORM_ENDS = ['accepted', 'refused', 'either'] as const
type FormEnd = (typeof FORM_ENDS)[number]

/** One member of a document in another form; `forms.yaml` describes the members. */
export interface FormRow {
  readonly id: string
  readonly path?: string
  readonly value?: unknown
  readonly ends: FormEnd
  readonly says: string
}

export type FormTable = 'capabilities' | 'evidence'

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'forms.yaml')

/** Loads the rows of both documents. */
export function loadForms(): Readonly<Record<FormTable, readonly FormRow[]>> {
  return readYaml(FILE) as Readonly<Record<FormTable, readonly FormRow[]>>
}

/** Returns the usual document with that member in its other form. */
export function inForm(document: unknown, { path, value }: FormRow): unknown {
  return path === undefined ? document : editMember(document, path.split(' '), value)
}

export function formCell(table: FormTable, { id }: FormRow): string {
  return `${table} ${id}`
}

/** The defect shown in the transcript, if the form is invalid. */
export function formDefect({ id, ends, path }: FormRow): { readonly defect?: string } {
  return ends === 'accepted' || path === undefined ? {} : { defect: id }
}
