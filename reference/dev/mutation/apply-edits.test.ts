import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { applyEdits, replaceText } from './apply-edits.ts'
import { type Edit, loadEdits, parseEdits } from './load-edits.ts'

const CLASSES = { file: 'reference/a.ts', operator: 'test', defect: 'a test', unspecified: 'test' }

function edit(from: string, to: string, more: Partial<Edit> = {}): Edit {
  return { id: 'one', ...CLASSES, from, to, ...more }
}

type Run = (input: unknown) => unknown

/** The function `f` of a module text, with an edit active from before it is loaded. */
function load(text: string, active?: string): Run {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  })
  const scope = { __stryker__: { activeMutant: active } }
  const run = new Function('globalThis', 'exports', `${outputText}\nreturn f`)(scope, {})
  return (input) => {
    try {
      return run(input)
    } catch (error) {
      return error instanceof Error ? error.name : error
    }
  }
}

/** Texts of a function `f`, replacements in it, and inputs. */
const CASES: readonly (readonly [source: string, from: string, to: string, inputs: unknown[]])[] = [
  ['function f(a) { return a * 2 }', '2', '2 + 1', [3]],
  ['function f(a) { return a * 2 }', 'a * 2', 'a * 2 + 1', [3]],
  ['function f(a) {\n const b = a.at\n a.push(1)\n return a }', 'a.push(1)', 'a.push(2)', [[5]]],
  [
    'function f(a) {\n const b = a\n a.x.y.push(1)\n return a }',
    'a.x',
    'a.z',
    [{ x: { y: [] }, z: { y: [] } }],
  ],
  ['function f(a) { return a.at(0) }', 'a.at', 'a.indexOf', [[3, 0]]],
  ['function f(a) { return a?.b.c }', 'a?.b', 'a?.d', [null, { b: { c: 1 }, d: { c: 2 } }]],
  ['function f(a) { return a?.b.at(0) }', 'a?.b', 'a?.d', [null, { b: [1], d: [2] }]],
  ['function f(a) { return { a, b: 1, ...a } }', '{ a, b', '{ a: 2, b', [{ c: 1 }]],
  ['function f(a) { return { x: 1, ...a } }', '...a', '...a.d', [{ d: { e: 1 } }]],
  ['function f(a) { return [1, ...a] }', 'a]', 'a.slice(1)]', [[5, 6]]],
  [
    'function f(a) { return g(a) }\nfunction g(a, b = 3) { return a + b }',
    'g(a) }\n',
    'g(a, a) }\n',
    [1],
  ],
  ['function f(a) { let b = 1\n b += a\n return b }', 'b += a', 'b -= a', [4]],
  ['function f(a) { let b = 1\n b += a\n return b }', 'let b = 1', 'let b = 2', [4]],
  ['function f(a) { let b = 1\n b += a\n return b }', '\n b += a', '', [4]],
  ['function f(a) { const b = a\n const c = b\n return c }', 'const c = b', 'const c = b + 1', [4]],
  [
    'function f(a) { for (const b of a) { if (b > 1) return b }\n return 0 }',
    'b > 1',
    'b >= 1',
    [[1, 2], []],
  ],
  ['function f(a) { if (a) return 1\n else return 2 }', 'return 1', 'throw a', [0, 3]],
  [
    'function f(a) { if (a > 1) if (a > 2) return 1; else return 2\n return 3 }',
    'return 2',
    'return 4',
    [1, 2, 3],
  ],
  [
    'function f(a) { switch (a) { case 1: return 2; default: return 3 } }',
    'case 1',
    'case 2',
    [1, 2],
  ],
  [
    'function f(a) { try { return a.b.c } catch { return 1 } }',
    'catch { return 1 }',
    'catch { return 2 }',
    [{}],
  ],
  [
    'const T = { a: 1, b: [2, 3] } as const\nfunction f(a) { return T[a] }',
    '2, 3',
    '3',
    ['a', 'b'],
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source text
  ['function f(a) { return `x${a}y${a}` }', 'y$', 'z$', [1]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source text
  ['function f(a) { return `x${a}y` }', 'a}', 'a + 1}', [1]],
  ['const f = (a: number, b = 4): number => a + b', '4', '5', [1]],
  [
    'const f = (a: number | null) => (a === null ? 1 : (a as number))',
    'null ?',
    'undefined ?',
    [null, 3],
  ],
  [
    'class C { static n = 1; m = 2; g(a) { return a + this.m + C.n } }\nconst f = (a) => new C().g(a)',
    'm = 2',
    'm = 3',
    [1],
  ],
  [
    'const f = (a) => a.map((x) => x + 1).filter((x) => x > 2)',
    '.filter((x) => x > 2)',
    '',
    [[1, 2]],
  ],
  ['const f = (a) => a.filter((x) => x > 2)', 'filter', 'map', [[1, 3]]],
  ['function f({ a, b = 2 }) { return a ?? b }', 'b = 2', 'b = 3', [{}]],
  ['function f(a) { const { b: c } = a\n return c }', 'b: c', 'd: c', [{ b: 1, d: 2 }]],
  ['const f = (a) => a && a.b ? 1 : 2', 'a && a.b', 'a || a.b', [{}, { b: 1 }]],
]

describe('an edit', () => {
  test.each(CASES)('in %j: %j -> %j', (source, from, to, inputs) => {
    const only = edit(from, to)
    const { text } = applyEdits(source, [only])
    const outcomes = (module: string, active?: string) => {
      return structuredClone(inputs).map(load(module, active))
    }
    expect(outcomes(text)).toEqual(outcomes(source))
    expect(outcomes(text, 'one')).toEqual(outcomes(replaceText(source, only)))
    expect(outcomes(text, 'one')).not.toEqual(outcomes(source))
  })

  test('is found in the named function', () => {
    const source = 'function f(a) { return a + 1 }\nfunction g(a) { return a + 1 }'
    const { text } = applyEdits(source, [edit('a + 1', 'a + 2', { in: 'f' })])
    expect(load(text, 'one')(1)).toBe(3)
  })

  test('may need an import', () => {
    const line = "import { g } from './g.ts'"
    const { text } = applyEdits('const f = (a) => a', [edit('=> a', '=> g(a)', { import: line })])
    expect(text.startsWith(`${line}\n`)).toBe(true)
  })

  test('is static if its code runs when the module is loaded', () => {
    const source = 'const A = 1\nclass B { static c = 2; d = 3 }\nconst f = (a = 4) => 5'
    const edits = ['1', '2', '3', '4', '5'].map((from) => edit(from, '6', { id: `id-${from}` }))
    expect(applyEdits(source, edits).static).toEqual(['id-1', 'id-2'])
  })

  test.each([
    ['const f = 1', edit('2', '3'), /occurs 0 times/],
    ['const f = 1 + 1', edit('1', '3'), /occurs 2 times/],
    ['const f = 1', edit('1', '1'), /equal/],
    ['const f = 1', edit('1', '('), /line 1: /],
    ['const f = 1', edit('const', 'let'), /smaller text/],
    ['type A = 1', edit('1', '2'), /smaller text/],
  ])('of %j that cannot be applied is an error with file and id', (source, wrong, message) => {
    expect(() => applyEdits(source, [wrong])).toThrow(message)
    expect(() => applyEdits(source, [wrong])).toThrow('reference/a.ts: one: ')
  })
})

/** An expression over `a` in which every number occurs once. */
const expressions = fc
  .array(fc.constantFrom('+', '-', '*', ',', '?', '.', '(', '[', '=>'), { maxLength: 12 })
  .map((operators) =>
    operators.reduce((left, operator, at) => {
      const number = `${10 + at}`
      if (operator === '?') return `a > ${number} ? ${left} : a`
      if (operator === '.') return `[a, ${number}].indexOf(${left})`
      if (operator === '(') return `(${left})`
      if (operator === '[') return `[${left}, a][${number} % 2]`
      if (operator === '=>') return `((a) => ${left})(${number})`
      return operator === ',' ? `(${left}, ${number})` : `${left} ${operator} ${number}`
    }, 'a'),
  )

test('any set of edits leaves the source as it is, and each alone is a replacement of text', () => {
  const changes = fc.array(
    fc.tuple(fc.nat(11), fc.constantFrom('a', 'a + 1', 'a ? 1 : 2', '-a', '(a)')),
  )
  fc.assert(
    fc.property(expressions, changes, fc.integer(), (expression, replacements, input) => {
      const source = `function f(a) { return ${expression} }`
      const edits = replacements.flatMap(([at, to], index) => {
        const from = `${10 + at}`
        const isThere = source.split(from).length === 2
        return isThere ? edit(from, to, { id: `id-${index}` }) : []
      })
      const { text } = applyEdits(source, edits)
      expect(load(text)(input)).toEqual(load(source)(input))
      for (const each of edits)
        expect(load(text, each.id)(input)).toEqual(load(replaceText(source, each))(input))
    }),
    { numRuns: 30 },
  )
})

describe('a data file', () => {
  test.each([
    ['- { id: A }', /a\.yaml: A.*file/],
    [JSON.stringify([{ ...edit('a', 'b'), rows: ['A'] }]), /exactly one/],
    [JSON.stringify([{ ...edit('a', 'b'), unspecified: undefined }]), /exactly one/],
    [JSON.stringify([{ ...edit('a', 'b'), more: 1 }]), /a\.yaml: one/],
  ])('%s is refused', (text, message) => {
    expect(() => parseEdits(text, 'a.yaml')).toThrow(message)
  })
})

const ENTRIES = ['reference/main.ts', 'reference/verifier/evaluation/evaluation-worker.ts']

function requirementIds(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const { rows }: { rows: { id: string }[] } = parse(readFileSync(join(folder, name), 'utf8'))
    return rows.map(({ id }) => id)
  })
}

describe('the edits of this repository', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const edits = loadEdits(root)
  const files = [...new Set(edits.map(({ file }) => file))]
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const applied = new Map(
    files.map((file) => [
      join(root, file),
      applyEdits(
        text(file),
        edits.filter((each) => each.file === file),
      ).text,
    ]),
  )

  test('name requirements that exist', () => {
    const folder = join(root, 'conformance', 'catalogue', 'requirements')
    if (!existsSync(folder)) return
    const known = new Set(requirementIds(folder))
    const unknown = edits.flatMap(({ id, rows = [] }) =>
      rows.filter((row) => !known.has(row)).map((row) => `${id}: ${row}`),
    )
    expect(unknown).toEqual([])
  })

  test('are in a reference that can be built', async () => {
    const { errors } = await build({
      ...{ absWorkingDir: root, entryPoints: ENTRIES, bundle: true, write: false, outdir: 'dist' },
      ...{ platform: 'node', format: 'esm', logLevel: 'silent', packages: 'external' },
      plugins: [
        {
          name: 'edits',
          setup({ onLoad }) {
            onLoad({ filter: /[\\/]reference[\\/].*\.ts$/ }, ({ path }) => {
              const contents = applied.get(path)
              return contents === undefined ? undefined : { contents, loader: 'ts' }
            })
          },
        },
      ],
    })
    expect(errors).toEqual([])
  })
})
