import type { Blob } from '../blob.ts'
import { at, readJson, textOf } from '../policy/json-source.ts'
import { findObject, looksLikeJson } from '../quote/quote-source.ts'
import type { Given } from '../read-given.ts'
import { rawBlob, readBase64, readBlob } from '../text-forms.ts'

interface LogSource {
  readonly blob: Blob
  readonly form: string
  readonly broken: readonly { readonly offset: number; readonly why: string }[]
}

/** JSON members that contain an event log: of a pull quote, and of verify/evidence in two dialects. */
const MEMBERS = ['mb_measurement_list', 'mb_list', 'mb_log'] as const

function readJsonLog(bytes: Uint8Array): LogSource {
  const { root, broken } = readJson(bytes)
  const push = findObject(root, (node) => textOf(at(node, 'evidence_type')) === 'uefi_log')
  const inPush = textOf(at(at(push, 'data'), 'entries'))
  const found = [
    ['entries of uefi_log', inPush] as const,
    ...MEMBERS.map((member) => {
      const holder = findObject(root, (node) => textOf(at(node, member)) !== undefined)
      return [member, textOf(at(holder, member))] as const
    }),
  ].find(([, text]) => text !== undefined)
  if (found?.[1] !== undefined) {
    const breaks = broken === undefined ? [] : [broken]
    return { blob: readBase64(found[1]), form: `JSON, ${found[0]} as base64`, broken: breaks }
  }
  const why = `the JSON contains no event log (uefi_log, ${MEMBERS.join(', ')})`
  return { blob: rawBlob(new Uint8Array()), form: 'JSON', broken: [broken ?? { offset: 0, why }] }
}

/** Reads the event log of a file: raw bytes, base64, hexadecimal or JSON. */
export function readLogSource({ bytes }: Given): LogSource {
  if (looksLikeJson(bytes)) return readJsonLog(bytes)
  const blob = readBlob(bytes)
  return { blob, form: blob.form, broken: [] }
}
