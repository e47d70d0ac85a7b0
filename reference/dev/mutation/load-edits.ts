import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { parse } from 'yaml'

const TEXT = Type.String({ minLength: 1 })

/** One defect, written as a replacement of source text. Exactly one of `rows`, `unspecified` and `equivalent` is present. */
const EDIT = Type.Object(
  {
    /** kebab-case, unique over all files. */
    id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    /** Path from the root of the repository. */
    file: Type.String({ pattern: '^reference/.*\\.ts$' }),
    /** Kind of the defect, such as `bytes.prefix`. */
    operator: Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)*$' }),
    /** Source text, exactly as in the file, once in the file or once in the function `in`. */
    from: TEXT,
    to: Type.String(),
    /** Name of the declaration that contains `from`. */
    in: Type.Optional(TEXT),
    /** An import declaration that `to` needs; it is added to the top of the file. */
    import: Type.Optional(Type.String({ pattern: '^import ' })),
    /** What the wrong implementation does. */
    defect: TEXT,
    /** Ids of the requirements of which at least one must be reported. */
    rows: Type.Optional(Type.Array(TEXT, { minItems: 1 })),
    /** The ambiguity or the line of the document that leaves this behaviour open. */
    unspecified: Type.Optional(TEXT),
    /** Why no observer can tell the difference. */
    equivalent: Type.Optional(TEXT),
  },
  { additionalProperties: false },
)

export type Edit = Readonly<Static<typeof EDIT>>

const validator = Compile(Type.Array(EDIT))

/** The folder of the data files, from the root of the repository. */
const EDITS = join('reference', 'dev', 'mutation', 'edits')

/** All edits of the data files, or of those named, in the order of the file names. @throws {Error} with the file of an invalid edit */
export function loadEdits(root: string, named: readonly string[] = []): readonly Edit[] {
  const files = readdirSync(join(root, EDITS), { recursive: true, encoding: 'utf8' })
  const edits = files
    .filter((file) => file.endsWith('.yaml') && (named.length === 0 || named.includes(file)))
    .toSorted()
    .flatMap((file) => parseEdits(readFileSync(join(root, EDITS, file), 'utf8'), file))
  refuseDuplicates(edits)
  return edits
}

/** The edits of one data file. @throws {Error} with `name` and the first invalid member */
export function parseEdits(text: string, name: string): readonly Edit[] {
  const edits: unknown = parse(text) ?? []
  if (!validator.Check(edits)) {
    const [first] = validator.Errors(edits)
    const [, at = ''] = /^\/(\d+)/.exec(first?.instancePath ?? '') ?? []
    const id = Array.isArray(edits) ? edits[Number(at)]?.id : undefined
    throw new Error(`${name}: ${id ?? ''}${first?.instancePath ?? ''} ${first?.message ?? ''}`)
  }
  for (const edit of edits) checkClass(edit, name)
  return edits
}

function checkClass({ id, rows, unspecified, equivalent }: Edit, name: string): void {
  const given = [rows, unspecified, equivalent].filter((each) => each !== undefined)
  if (given.length !== 1)
    throw new Error(`${name}: ${id} needs exactly one of rows, unspecified and equivalent`)
}

function refuseDuplicates(edits: readonly Edit[]): void {
  const seen = new Set<string>()
  for (const { id } of edits) {
    if (seen.has(id)) throw new Error(`${EDITS}: the id ${id} occurs twice`)
    seen.add(id)
  }
}
