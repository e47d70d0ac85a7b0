import ts from 'typescript'
import type { Edit } from './load-edits.ts'
import { parseSource, type Replacement, type Site, switchableNode } from './switchable-node.ts'

/** One source file in which every edit can be switched. */
interface EditedSource {
  readonly text: string
  /** Ids of edits in code that runs when the module is loaded: they must be active before that. */
  readonly static: readonly string[]
}

interface PlacedEdit extends Site {
  readonly id: string
}

/** The condition under which an edit is active: Stryker's global variable names the active one. */
function isActive(id: string): string {
  return `globalThis.__stryker__?.activeMutant === ${JSON.stringify(id)}`
}

/**
 * Makes every edit of a source file switchable. Without an active edit the text behaves like the source; with one, like
 * the source with `from` replaced by `to`, and without the other edits of the same place.
 *
 * @param condition text of the expression that tells whether an edit is active
 * @throws {Error} with file and id if `from` does not occur exactly once, or the result is not TypeScript
 */
export function applyEdits(
  source: string,
  edits: readonly Edit[],
  condition: (id: string) => string = isActive,
): EditedSource {
  const file = parseSource(source)
  const placed = edits.map((edit) => place(file, edit))
  const imports = new Set(edits.flatMap((edit) => edit.import ?? []))
  const whole = { start: 0, end: source.length }
  const text = [...imports, render(source, whole, placed, condition)].join('\n')
  try {
    parseSource(text)
  } catch (error) {
    throw new Error(`${edits[0]?.file}: ${reasonOf(error)}: ${placed.map(({ id }) => id).join()}`)
  }
  return { text, static: placed.filter(({ isStatic }) => isStatic).map(({ id }) => id) }
}

/** The source file with one edit, not switchable. */
export function replaceText(source: string, edit: Edit): string {
  const { start, end, text } = replacementOf(parseSource(source), edit)
  const replaced = source.slice(0, start) + text + source.slice(end)
  return edit.import === undefined ? replaced : `${edit.import}\n${replaced}`
}

function place(file: ts.SourceFile, edit: Edit): PlacedEdit {
  try {
    return { id: edit.id, ...switchableNode(file, replacementOf(file, edit)) }
  } catch (error) {
    throw new Error(`${edit.file}: ${edit.id}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function replacementOf(file: ts.SourceFile, { from, to, in: name }: Edit): Replacement {
  const places = occurrences(file.text, from).filter(
    (start) => name === undefined || isWithin(file, name, start, start + from.length),
  )
  const [start] = places
  if (start === undefined || places.length > 1)
    throw new Error(`the text of from occurs ${places.length} times in ${name ?? 'the file'}`)
  if (from === to) throw new Error('from and to are equal')
  return { start, end: start + from.length, text: to }
}

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at)
  return found
}

/** Whether a declaration of this name contains the range. */
function isWithin(file: ts.SourceFile, name: string, start: number, end: number): boolean {
  const visit = (node: ts.Node): boolean => {
    if (node.getStart() > start || node.getEnd() < end) return false
    if (nameOf(node) === name) return true
    return ts.forEachChild(node, (child) => visit(child) || undefined) === true
  }
  return visit(file)
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  const isNamed =
    ts.isFunctionLike(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isClassLike(node)
  return isNamed ? node.name?.getText() : undefined
}

/** The text of a range with a choice for each edit in it. */
function render(
  source: string,
  range: { readonly start: number; readonly end: number },
  edits: readonly PlacedEdit[],
  condition: (id: string) => string,
): string {
  let text = ''
  let at = range.start
  for (const outer of outermost(edits)) {
    const here = edits.filter(({ start, end }) => start === outer.start && end === outer.end)
    const inside = edits.filter((each) => contains(outer, each) && !here.includes(each))
    const original = render(source, outer, inside, condition)
    text += source.slice(at, outer.start) + here.reduceRight(choose, original)
    at = outer.end
  }
  return text + source.slice(at, range.end)

  function choose(original: string, { id, form, mutated }: PlacedEdit): string {
    if (form === 'expression') return `(${condition(id)} ? (${mutated}) : (${original}))`
    return `{ if (${condition(id)}) { ${mutated}\n} else { ${original}\n} }`
  }
}

/** The edits that no other contains, one for each place, in the order of the text. */
function outermost(edits: readonly PlacedEdit[]): readonly PlacedEdit[] {
  return edits
    .filter((each, at) =>
      edits.every((other, index) => {
        const isSame = other.start === each.start && other.end === each.end
        return isSame ? index >= at : !contains(other, each)
      }),
    )
    .toSorted((one, other) => one.start - other.start)
}

function contains(outer: PlacedEdit, inner: PlacedEdit): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}
