import ts from 'typescript'

/** A part of a source file that can be replaced by a choice between two texts. */
export interface Site {
  readonly start: number
  readonly end: number
  readonly form: 'expression' | 'statement' | 'block'
  /** Whether the code runs when the module is loaded: it is in no function body. */
  readonly isStatic: boolean
  /** The text of the site with the replacement. */
  readonly mutated: string
}

export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Parses TypeScript. @throws {Error} with the first syntax error */
export function parseSource(text: string): ts.SourceFile {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true)
  const errors: unknown = Reflect.get(file, 'parseDiagnostics')
  if (!Array.isArray(errors)) throw new Error('this version of typescript has no parseDiagnostics')
  const [first] = errors
  if (first === undefined) return file
  const { line } = file.getLineAndCharacterOfPosition(first.start)
  throw new Error(`line ${line + 1}: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`)
}

/**
 * The smallest expression or statement that contains the replacement, can be replaced by a choice, and has the same
 * extent in the replaced file: so `b` in `a * b` is no site of the replacement `b + c`, and `a * b` is.
 *
 * @throws {Error} if the replaced text has a syntax error, or only the module as a whole contains the replacement
 */
export function switchableNode(source: ts.SourceFile, replacement: Replacement): Site {
  const changed = shrink(source.text, replacement)
  const replaced =
    source.text.slice(0, changed.start) + changed.text + source.text.slice(changed.end)
  const growth = replaced.length - source.text.length
  const mutated = parseSource(replaced)
  let node = smallestNode(source, changed.start, changed.end)
  for (; !ts.isSourceFile(node); node = node.parent) {
    const [start, end] = [node.getStart(), node.getEnd()]
    const form = formOf(node)
    if (form === undefined || !hasNode(mutated, start, end + growth, form)) continue
    return {
      ...{ start, end, form, isStatic: isStatic(node) },
      mutated: replaced.slice(start, end + growth),
    }
  }
  throw new Error(
    'the changed text is in no expression or statement that can be switched: choose a smaller text, inside of an initializer',
  )
}

/** Leaves the common beginning and the common end of both texts out. */
function shrink(source: string, { start, end, text }: Replacement): Replacement {
  const from = source.slice(start, end)
  const most = Math.min(from.length, text.length)
  let head = 0
  while (head < most && from[head] === text[head]) head++
  let tail = 0
  while (tail < most - head && from.at(-1 - tail) === text.at(-1 - tail)) tail++
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) }
}

function smallestNode(source: ts.SourceFile, start: number, end: number): ts.Node {
  let found: ts.Node = source
  const visit = (node: ts.Node): void => {
    if (node.getStart() > start || node.getEnd() < end) return
    found = node
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return found
}

function hasNode(source: ts.SourceFile, start: number, end: number, form: Site['form']): boolean {
  let node: ts.Node | undefined = smallestNode(source, start, end)
  while (node && node.getStart() === start && node.getEnd() === end) {
    if (formOf(node) === form) return true
    node = node.parent
  }
  return false
}

function formOf(node: ts.Node): Site['form'] | undefined {
  if (ts.isBlock(node)) return 'block'
  if (isInType(node)) return undefined
  if (ts.isStatement(node)) return isDeclaration(node) ? undefined : 'statement'
  return ts.isExpression(node) && isValue(node) && !beginsStatement(node) ? 'expression' : undefined
}

/** Declarations are visible after them, which they would not be inside of a choice. */
function isDeclaration(node: ts.Statement): boolean {
  return (
    ts.isVariableStatement(node) ||
    ts.isDeclarationStatement(node) ||
    ts.isClassLike(node) ||
    ts.isEmptyStatement(node)
  )
}

function isInType(node: ts.Node): boolean {
  for (let each = node; !ts.isStatement(each) && !ts.isSourceFile(each); each = each.parent) {
    if (ts.isTypeNode(each) || ts.isTypeParameterDeclaration(each)) return true
  }
  return false
}

/** Whether the expression is read: it is neither a name, nor assigned to, nor a part that gives another its meaning. */
function isValue(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isOmittedExpression(node) || isKeyword(node)) return false
  if (ts.isIdentifier(node) && !isReference(node)) return false
  if ([Reflect.get(parent, 'name'), Reflect.get(parent, 'propertyName')].includes(node))
    return false
  if (ts.isStringLiteralLike(node) && isModuleName(parent)) return false
  if (isCalled(node) || isAssigned(node)) return false
  return !(ts.isOptionalChain(node) && continuesChain(node))
}

function isKeyword(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.SuperKeyword || node.kind === ts.SyntaxKind.ImportKeyword
}

function isModuleName(parent: ts.Node): boolean {
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)
}

/** Whether an identifier stands for a value, and is not the name of a member, a binding, a label or an import. */
function isReference({ parent }: ts.Identifier): boolean {
  return (
    (ts.isExpression(parent) && !ts.isFunctionLike(parent) && !ts.isMetaProperty(parent)) ||
    ts.isSpreadAssignment(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isComputedPropertyName(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isCaseClause(parent) ||
    ts.isArrowFunction(parent) ||
    (ts.isStatement(parent) &&
      !ts.isBreakOrContinueStatement(parent) &&
      !ts.isLabeledStatement(parent))
  )
}

/** A function that is called, or the template function: a choice in its place would lose `this`. */
function isCalled(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag === node || parent.template === node
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node
}

function isAssigned(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(parent)) return parent.left === node && isAssignment(parent)
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === node
  if (ts.isPrefixUnaryExpression(parent)) return isStep(parent.operator)
  return ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent)
}

function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function isStep(operator: ts.PrefixUnaryOperator): boolean {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken
}

/** Whether a larger optional chain, which ends early with this one, contains it. */
function continuesChain(node: ts.Expression): boolean {
  const { parent } = node
  return (
    ts.isNonNullExpression(parent) || (ts.isOptionalChain(parent) && parent.expression === node)
  )
}

/** Whether the expression is at the beginning of a statement, where a parenthesis would continue the line before. */
function beginsStatement(node: ts.Node): boolean {
  let each = node
  while (!ts.isStatement(each) && !ts.isFunctionLike(each) && !ts.isSourceFile(each))
    each = each.parent
  return ts.isExpressionStatement(each) && each.getStart() === node.getStart()
}

function isStatic(node: ts.Node): boolean {
  for (let each = node; !ts.isSourceFile(each); each = each.parent) {
    if (ts.isFunctionLike(each.parent) && !ts.isComputedPropertyName(each)) return false
    const { parent } = each
    if (ts.isPropertyDeclaration(parent) && !hasStatic(parent)) return false
  }
  return true
}

function hasStatic({ modifiers }: ts.PropertyDeclaration): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false
}
