import type { JsonObject, JsonValue } from '@agent-service/sdk'
import fc from 'fast-check'
import type { YamlOperation } from './edit-yaml.js'

/** One line of a generated text. */
export interface TextLine {
  /** With its line ending. */
  readonly text: string
  /** The member that the line belongs to; comments and blank lines between members have none. */
  readonly path: readonly string[] | undefined
  /**
   * `opening`: members of the path have lines of their own below; `whole`: all of its value is
   * here.
   */
  readonly part: 'opening' | 'whole' | 'none'
}

interface Line {
  readonly text: string
  readonly path?: readonly string[]
  readonly part?: 'opening' | 'whole'
}

const keys = [
  'port',
  'host',
  'retry',
  'primary',
  'github-copilot',
  'a b',
  '7',
  'true',
  'x.y',
  "it's",
  'ünï',
  'null',
  '# no',
  'long'.repeat(20),
]
const key = fc.constantFrom(...keys)
const long = 'a long text that goes on and on '.repeat(8).trim()
const text = fc.oneof(
  fc.constantFrom(
    '',
    'plain',
    '${WORK_KEY}',
    'yes',
    'null',
    '12',
    'a: b',
    'x #y',
    '- z',
    "it's",
    'say "so"',
    ' edge ',
    'two\nlines',
    'tab\there',
    long,
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
)
const scalar = fc.oneof(text, fc.integer({ min: -99, max: 99999 }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())

/** A value to set: mostly what a form would send. */
export const settable: fc.Arbitrary<JsonValue> = fc
  .oneof(
    { weight: 5, arbitrary: scalar },
    fc.array(scalar, { maxLength: 4 }),
    fc.array(fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxKeys: 3 }), { maxLength: 3 }),
    fc.dictionary(key, fc.oneof(scalar, fc.dictionary(key, scalar, { maxKeys: 2 })), { maxKeys: 3 }),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)

type Printer = (indentation: string, path: readonly string[], name: string) => readonly Line[]

const quotedKey = (name: string): string =>
  /^[a-zü][a-zïü_-]*$/.test(name) && name !== 'true' && name !== 'null' ? name : JSON.stringify(name)
const comment = fc.constantFrom('', '', '', ' # why', '   # a, b: {c} "d" \'', ' #')
const spaces = fc.constantFrom(' ', ' ', '   ')

const oneLineValue = fc.oneof(
  fc.constantFrom(
    'plain',
    '12',
    '0x1f',
    '1e3',
    'true',
    '~',
    'null',
    '""',
    "''",
    '"a \\" b # c"',
    "'it''s'",
    '${HOME}',
    '-x',
    'a#b',
    long,
    `"${long}"`,
  ),
  fc.constantFrom('[]', '{}', '[a, b]', '[ a, "b, c" ]', '{ a: 1, b: [x], }', '{"port":1,"host":"x"}', '{port: 1}', '{ port: , host }'),
  fc.string({ maxLength: 8 }).map((content) => JSON.stringify(content)),
)

/** `key: value # comment` */
const lineMember: fc.Arbitrary<Printer> = fc
  .tuple(oneLineValue, spaces, comment, fc.boolean())
  .map(([value, gap, note, loose]) => (indentation, path, name) => [
    { text: `${indentation}${quotedKey(name)}${loose ? ' ' : ''}:${gap}${value}${note}`, path: [...path, name], part: 'whole' },
  ])

/** `key:` and nothing. */
const emptyMember: fc.Arbitrary<Printer> = comment.map((note) => (indentation, path, name) => [
  { text: `${indentation}${quotedKey(name)}:${note}`, path: [...path, name], part: 'whole' },
])

/** A text or a list over several lines. */
const linesMember: fc.Arbitrary<Printer> = fc
  .constantFrom(
    [' |', '  one', '', '    two', '  three'],
    [' >- # folded', '   a', '   b'],
    [' |+', '  keep', '', ''],
    [' "two', '   lines"'],
    [' plain', '  goes on'],
    ['', '- a', '- b: 1', '  c: 2 # two', '', '  # between', '- [x]'],
    ['', '  - a', '  - - b', '    - c'],
    ['', '   value below'],
    [' [', '  a, # first', '  b', ' ]'],
  )
  .map(
    (lines) => (indentation, path, name) =>
      lines.map((line, index) => ({
        text: index === 0 ? `${indentation}${quotedKey(name)}:${line}` : line === '' ? '' : `${indentation}${line}`,
        path: [...path, name],
        part: 'whole',
      })),
  )

/** A map between braces, each member on lines of its own. */
const bracesMember: fc.Arbitrary<Printer> = fc
  .tuple(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), fc.boolean(), comment)
  .map(([names, trailing, note]) => (indentation, path, name) => [
    { text: `${indentation}${quotedKey(name)}: {${note}`, path: [...path, name], part: 'opening' },
    ...names.map(
      (inner, index): Line => ({
        text: `${indentation}    ${quotedKey(inner)}: 1${trailing || index < names.length - 1 ? ',' : ''}${note}`,
        path: [...path, name, inner],
        part: 'whole',
      }),
    ),
    { text: `${indentation}  }`, path: [...path, name], part: 'opening' },
  ])

const between: fc.Arbitrary<readonly string[]> = fc.constantFrom(
  [],
  [],
  [],
  [''],
  ['# about the next'],
  ['', '# a: 1', ''],
  ['        # deep'],
)

const members = (depth: number): fc.Arbitrary<(indentation: string, path: readonly string[]) => readonly Line[]> =>
  fc
    .uniqueArray(fc.tuple(key, depth > 0 ? fc.oneof(member, blockMember(depth - 1)) : member, between), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map((entries) => (indentation, path) => {
      const lines: Line[] = []
      for (const [name, print, above] of entries) {
        // A comment that is indented more than a block scalar before it would be text.
        if (!above[0]?.startsWith(' ') || !lines.some((line) => /: [|>]/.test(line.text)))
          lines.push(...above.map((line) => ({ text: line === '' ? '' : `${indentation}${line}` })))
        lines.push(...print(indentation, path, name))
      }
      return lines
    })

const member: fc.Arbitrary<Printer> = fc.oneof(
  { weight: 4, arbitrary: lineMember },
  { weight: 2, arbitrary: linesMember },
  emptyMember,
  bracesMember,
)

function blockMember(depth: number): fc.Arbitrary<Printer> {
  return fc.tuple(members(depth), fc.constantFrom(' ', '  ', '    '), comment).map(([print, step, note]) => (indentation, path, name) => [
    { text: `${indentation}${quotedKey(name)}:${note}`, path: [...path, name], part: 'opening' },
    ...print(indentation + step, [...path, name]),
  ])
}

/**
 * The lines of a file as people write it: comments, odd indentation, flow and block styles, texts
 * over several lines, long lines.
 */
export const randomText: fc.Arbitrary<readonly TextLine[]> = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: members(2).map((print) => print('', [])) }, fc.constant<readonly Line[]>([])),
    fc.constantFrom('\n', '\n', '\r\n'),
    fc.constantFrom<readonly string[]>([], [], ['---'], ['\ufeff# marked'], ['# head', '']),
    fc.constantFrom<readonly string[]>([], [], ['# the end'], ['', '', '# the end', ''], ['...', '# after']),
    fc.boolean(),
  )
  .map(([lines, ending, head, tail, closed]) => {
    const all: readonly Line[] = [...head.map((line) => ({ text: line })), ...lines, ...tail.map((line) => ({ text: line }))]
    const printed = all.map(
      ({ text: content, path, part }, index): TextLine => ({
        text: content + (closed || index < all.length - 1 ? ending : ''),
        path,
        part: part ?? 'none',
      }),
    )
    return printed.filter((line) => line.text !== '')
  })

/** Operations on places that a value has, and on some that it does not have. */
export function operationsOn(value: JsonObject): fc.Arbitrary<readonly YamlOperation[]> {
  const known = pathsIn(value)
  const path = fc.oneof(
    ...(known.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...known) }] : []),
    fc
      .tuple(fc.constantFrom<readonly string[]>([], ...known.filter((place) => isMap(valueAt(value, place)))), key)
      .map(([above, name]) => [...above, name]),
    fc.array(key, { minLength: 1, maxLength: 3 }),
  )
  const operation: fc.Arbitrary<YamlOperation> = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), path, value: settable }),
    fc.record({ kind: fc.constant('remove' as const), path }),
  )
  return fc.array(operation, { minLength: 1, maxLength: 3 })
}

const isMap = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

export const valueAt = (value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((inner, name) => (isMap(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined), value)

const pathsIn = (value: JsonObject, above: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(value).flatMap(([name, inner]) => [[...above, name], ...(isMap(inner) ? pathsIn(inner, [...above, name]) : [])])
