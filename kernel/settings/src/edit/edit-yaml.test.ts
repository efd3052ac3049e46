import { parsePath } from '@agent-service/kernel-core/config'
import type { JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { editYaml, openYaml, textOf, type YamlOperation } from './edit-yaml.js'

const operationsOf = (changes: Readonly<Record<string, JsonValue | undefined>>): readonly YamlOperation[] =>
  Object.entries(changes).map(([text, value]) => {
    const path = (parsePath(text) ?? []).map(String)
    return value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }
  })

const edited = (text: string, changes: Readonly<Record<string, JsonValue | undefined>>): string => {
  const source = openYaml(text)
  const result = 'problems' in source ? source : editYaml(source, operationsOf(changes))
  return 'text' in result ? textOf(result) : `refused: ${result.problems.map(({ path, message }) => `${path}: ${message}`).join()}`
}

type Example = readonly [name: string, before: string, changes: Readonly<Record<string, JsonValue | undefined>>, after: string]

const examples: Readonly<Record<string, readonly Example[]>> = {
  'replaces a value': [
    ['in its own quotes', 'a: "x" # c\nb: \'y\'\nc: z\n', { a: "it's", b: "it's", c: 'z2' }, "a: \"it's\" # c\nb: 'it''s'\nc: z2\n"],
    ['in quotes where it would be something else', 'a: x\nb: x\nc: x\n', { a: 'yes', b: '1', c: 'k: v' }, 'a: "yes"\nb: "1"\nc: "k: v"\n'],
    ['by one of another type', 'a: "x"\nb: 1\n', { a: 1, b: 'x' }, 'a: 1\nb: x\n'],
    ['with its special characters as escapes', 'a: x\n', { a: '\u0007\u2028\ud800 é 😀' }, 'a: "\\u0007\\u2028\\ud800 é 😀"\n'],
    ['with the space of Unicode at its end', 'a: "x"\r\nb: x\r\n', { b: 'Ԣ\u202f', c: '\u00a0' }, 'a: "x"\r\nb: Ԣ\u202f\r\nc: \u00a0\r\n'],
    ['over several lines by one line', 'a: one\n  two # c\nb: 1\n', { a: 'three' }, 'a: three # c\nb: 1\n'],
    ['on a line below its key', 'a:\n   # c\n   one\nb: 1\n', { a: 'two' }, 'a:\n   # c\n   two\nb: 1\n'],
    ['of a block scalar by another', 'a: |  # c\n    x\n    y\nb: 1\n', { a: 'p\nq' }, 'a: |-  # c\n    p\n    q\nb: 1\n'],
    ['of a block scalar by a number', 'a: | # c\n  x\nb: 1\n', { a: 1 }, 'a: 1 # c\nb: 1\n'],
    ['where there was none', 'a: # c\nb: { c: , d }\n', { a: 1, 'b.c': 2, 'b.d': 3 }, 'a: 1 # c\nb: { c: 2 , d: 3 }\n'],
    ['that is an alias, or has an anchor that nobody uses', 'a: &x 1\nb: *x\nc: &y 1\n', { b: 2, c: 3 }, 'a: &x 1\nb: 2\nc: &y 3\n'],
  ],
  'replaces a list whole': [
    ['between brackets', 'a: [x,  y] # c\n', { a: ['x', 'z, z'] }, 'a: [x, "z, z"] # c\n'],
    ['in lines', 'a: # c\n- x # d\n- y\n# e\nb: 1\n', { a: ['z'] }, 'a: # c\n- z\n# e\nb: 1\n'],
    ['with the space of Unicode at its end', 'a:\n- x\nb: 1\n', { a: ['x', 'z\u3000'] }, 'a:\n- x\n- z\u3000\nb: 1\n'],
    ['by nothing', 'a: # c\n  - x\nb: 1\n', { a: [] }, 'a: [] # c\nb: 1\n'],
    ['of nothing by objects', 'a: [] # c\nb: 1\n', { a: [{ k: 'v', l: [1] }] }, 'a: # c\n  - k: v\n    l: [1]\nb: 1\n'],
  ],
  'inserts a key': [
    [
      'at the indentation of its section',
      'a:\n     b: 1 # c\n     # d\n\ne: 1\n',
      { 'a.f': 2 },
      'a:\n     b: 1 # c\n     f: 2\n     # d\n\ne: 1\n',
    ],
    [
      'with the line endings of its section',
      'a:\r\n  b: 1\r\nc: 1\r\n',
      { 'a.d': 'x', 'e.f': 1 },
      'a:\r\n  b: 1\r\n  d: x\r\nc: 1\r\ne:\r\n  f: 1\r\n',
    ],
    ['into a section without content', 'a: # c\n  # d\nb: 1\n', { 'a.e': 1 }, 'a: # c\n  e: 1\n  # d\nb: 1\n'],
    ['into an empty object', 'a: {} # c\nb: 1\n', { 'a.e': { f: 1 } }, 'a: # c\n  e:\n    f: 1\nb: 1\n'],
    ['between braces', 'a: {b: 1}\nc: { d: {} }\n', { 'a.e': 'x, y', 'c.d.f': 1 }, 'a: {b: 1, e: "x, y"}\nc: { d: { f: 1 } }\n'],
    ['between braces in lines', 'a: {\n  b: 1 # c\n}\n', { 'a.d': 1 }, 'a: {\n  d: 1,\n  b: 1 # c\n}\n'],
    ['into JSON as JSON', '{"a": {"b": 1}}', { 'a.c': 'x', d: { e: ['y'] } }, '{"a": {"b": 1, "c": "x"}, "d": {"e":["y"]}}'],
    ['behind a text that keeps its blank lines', 'a:\n  b: |+\n    x\n\nc: 1\n', { 'a.d': 1 }, 'a:\n  b: |+\n    x\n\n  d: 1\nc: 1\n'],
    [
      'behind those that come before it in the change',
      'a: # c\n  b: 1\n  # d\ne: # c\n  # d\nf: {}\ng: { h: {} } # c\ni: { k: 1 }\nl: {\n  m: 1\n}\n',
      { 'a.x': 1, 'a.z': 2, 'e.x': 1, 'e.z': 2, 'f.x': 1, 'f.z': 2, 'i.x': 1, 'i.z': 2, 'l.x': 1, 'l.z': 2, x: 1, z: 2 },
      'a: # c\n  b: 1\n  x: 1\n  z: 2\n  # d\ne: # c\n  x: 1\n  z: 2\n  # d\nf:\n  x: 1\n  z: 2\ng: { h: {} } # c\ni: { k: 1, x: 1, z: 2 }\nl: {\n  x: 1,\n  z: 2,\n  m: 1\n}\nx: 1\nz: 2\n',
    ],
    ['in quotes where it needs some', 'a: 1\n', { '"7"': 1, '"x: y"': 2, '"#"': 3 }, 'a: 1\n"7": 1\n"x: y": 2\n"#": 3\n'],
  ],
  'adds a section at the end': [
    ['of nothing', '', { 'a.b': 1 }, 'a:\n  b: 1\n'],
    ['of comments', '# c\n', { 'a.b': 1 }, '# c\na:\n  b: 1\n'],
    ['of a text without a last line ending', 'a: 1 # c', { 'b.c': 1 }, 'a: 1 # c\nb:\n  c: 1'],
    ['behind comments', 'a: 1\n\n# end\n', { b: 1 }, 'a: 1\n\n# end\nb: 1\n'],
    ['of the document', '--- # c\n...\n# d\n', { a: 1 }, '--- # c\na: 1\n...\n# d\n'],
    ['behind a byte order mark', '\ufeff# c\n', { a: 1 }, '\ufeff# c\na: 1\n'],
  ],
  'removes a key': [
    [
      'with its lines, and leaves the comments around them',
      '# a\na: # b\n  # c\n  d: 1\n\n  # e\nf: 1\n',
      { a: undefined },
      '# a\n\n  # e\nf: 1\n',
    ],
    ['that was the last one of its object', 'a:\n  b: # c\n    d: 1\n', { 'a.b.d': undefined }, 'a:\n  b: {} # c\n'],
    [
      'between braces',
      'a: { b: 1, c: 2, d: 3 }\ne: {f: 1}\n',
      { 'a.b': undefined, 'a.d': undefined, 'e.f': undefined },
      'a: { c: 2 }\ne: {}\n',
    ],
    ['between braces in lines', 'a: {\n  b: 1, # c\n  d: 2\n}\n', { 'a.d': undefined }, 'a: {\n  b: 1, # c\n}\n'],
    ['between braces in lines, the first one', 'a: {\n  b: 1, # c\n  d: 2\n}\n', { 'a.b': undefined }, 'a: {\n  d: 2\n}\n'],
    ['behind a text that keeps its blank lines', 'a: |+\n  x\n\nb: 1\n\nc: 1\n', { b: undefined }, 'a: |+\n  x\n\nc: 1\n'],
    ['that is an alias or has a tag', 'a: &x 1\nb: *x\nc: !!int 1\n', { b: undefined, c: undefined }, 'a: &x 1\n'],
    ['that is not there', 'a: 1 #c\n', { b: undefined, 'c.d': undefined, 'a.b': undefined }, 'a: 1 #c\n'],
  ],
}

const withOddities = 'a: &x\n  k: 1\nb: *x\nc: !!map\n  d: 1\n? e\n: f: 1\ng:\n  <<: *x\nh: 5\n!!str i: { j: 1 }\n'
const refusals: readonly (readonly [string, Readonly<Record<string, JsonValue | undefined>>, RegExp])[] = [
  ['in an alias', { 'b.k': 2 }, /^refused: b.k: is inside an alias \(“\*x”\).* \(3:4\)$/],
  ['in what other places use', { 'a.k': 2 }, /^refused: a.k: is inside a value that is used in other places \(“&x”\).* \(2:3\)$/],
  ['that other places use', { a: 2 }, /^refused: a: is used in other places \(“&x”\).* \(2:3\)$/],
  ['that other places need', { a: undefined }, /^refused: a: cannot be changed without changing other values.* \(1:1\)$/],
  ['in something with a tag', { 'c.d': 2 }, /^refused: c.d: is inside a value with a tag .* \(5:3\)$/],
  ['of something with a tag', { c: 2 }, /^refused: c: has a tag .* \(5:3\)$/],
  ['behind a complex key', { 'e.f': 2 }, /^refused: e.f: has a complex key .* \(6:3\)$/],
  ['behind a key with a tag', { 'i.j': 2 }, /^refused: i.j: has a key with an anchor or a tag.* \(11:7\)$/],
  ['in a merge key', { 'g.<<.k': 2 }, /^refused: g.<<.k: is a merge key.* \(9:3\)$/],
  ['that would be a merge key', { 'g.new.<<': 2 }, /^refused: g.new.<<: is a merge key/],
  ['in a value that is no object', { 'h.k': 2 }, /^refused: h.k: is inside a value that is not an object \(10:4\)$/],
  ['that is no key', { 'h.__proto__': 2 }, /^refused: /],
]

describe('editing a YAML text', () => {
  for (const [what, list] of Object.entries(examples))
    describe(what, () => {
      for (const [name, before, changes, after] of list)
        it(name, () => {
          expect(edited(before, changes)).to.equal(after)
        })
    })

  describe('refuses a path, with its line,', () => {
    for (const [name, changes, message] of refusals)
      it(name, () => {
        expect(edited(withOddities, changes)).to.match(message)
      })
  })

  it('does all of many changes or none', () => {
    expect(edited(withOddities, { h: 6, 'b.k': 2, new: 1 })).to.match(/^refused: b.k/)
    expect(edited(withOddities, { h: 6, new: 1 })).to.equal(`${withOddities.replace('h: 5', 'h: 6')}new: 1\n`)
  })

  it('refuses a text that cannot be parsed, with its line', () => {
    expect(edited('a: [\n', { a: 1 })).to.match(/^refused: : not valid YAML.*\(2:1\)/)
    expect(edited('a: 1\na: 2\n', { a: 1 })).to.match(/is here twice \(2:1\)/)
  })
})
