import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore'

/** A node of the syntax tree, as far as it is read here. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
}

/** A text of several words is a sentence for people; wire words, names of fields and paths have no space. */
const SENTENCE = /\S \S|^ | $/

function isSentence({ type, value, quasis = [] }: Node): boolean {
  if (type === 'StringLiteral') return typeof value === 'string' && SENTENCE.test(value)
  return type === 'TemplateLiteral' && quasis.some((part) => SENTENCE.test(part.value.raw))
}

interface Call extends Node {
  readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } }
  readonly arguments?: readonly Node[]
}

/** What takes the name of a field first, for the message about bytes or text that cannot be read. */
const NAMES_A_FIELD: readonly (string | undefined)[] = ['field', 'PolicyError', 'WireError']

function isFieldName(node: Node, { callee, arguments: words = [] }: Call): boolean {
  return words[0] === node && NAMES_A_FIELD.includes(callee?.property?.name ?? callee?.name)
}

/** Leaves the texts of errors, findings and log lines as they are. */
export const messageTexts: Ignorer = {
  shouldIgnore(path: NodePath) {
    const { node, parent } = path as unknown as { readonly node: Node; readonly parent: Call }
    return isSentence(node) || isFieldName(node, parent)
      ? 'the interface does not specify the texts of messages'
      : undefined
  },
}
