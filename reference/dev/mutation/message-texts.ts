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

/** Leaves the texts of errors, findings and log lines as they are. */
export const messageTexts: Ignorer = {
  shouldIgnore(path: NodePath) {
    return isSentence((path as unknown as { readonly node: Node }).node)
      ? 'the interface does not specify the texts of messages'
      : undefined
  },
}
