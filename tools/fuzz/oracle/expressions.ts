/** Expressions that mean the same in every dialect: literals, escaped signs, and any run of characters. */
const PLAIN = /^(?:[\w /@:=,<>!"'%&;~#-]|\\[^\w\s]|\.\*|\.)*$/

function compiled(source: string): RegExp {
  return new RegExp(source, 's')
}

/** Whether an expression matches at the start of a text, as excludes do; undefined where dialects differ. */
export function matchesAtStart(expression: unknown, text: string): boolean | undefined {
  if (typeof expression !== 'string' || !PLAIN.test(expression)) return undefined
  return compiled(`^(?:${expression})`).test(text)
}

/** Whether an expression matches a text from its start to its end; undefined where dialects differ. */
export function matchesWhole(expression: unknown, text: string): boolean | undefined {
  if (typeof expression !== 'string' || !PLAIN.test(expression)) return undefined
  return compiled(`^(?:${expression})$`).test(text)
}
