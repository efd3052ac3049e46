import { expect } from 'chai'
import * as TypeBox from 'typebox'
import { Type } from '../core/type.js'
import { checkPortableSchema } from './portable-schema.js'

describe('checkPortableSchema', () => {
  it('accepts everything that Type offers, before and after JSON', () => {
    const schema = Type.Object({
      list: Type.Array(Type.String({ pattern: '^a+$', format: 'uri', minLength: 1 }), { maxItems: 3, uniqueItems: true }),
      number: Type.Optional(Type.Number({ minimum: 0, exclusiveMaximum: 1, multipleOf: 0.1, default: 0.5 })),
      integer: Type.Integer({ description: 'whole', title: 'Whole', examples: [1] }),
      record: Type.Record(Type.String({ pattern: '^x-' }), Type.Boolean()),
      choice: Type.Union([Type.Literal('a'), Type.Literal(1), Type.Null()]),
      secret: Type.String({ 'x-secret': true, 'x-another-program': [1] }),
      gone: Type.Optional(Type.Unknown({ 'x-removed': 'Use choice.' })),
      anything: Type.Unknown(),
    })
    expect(checkPortableSchema(schema, '/config')).to.deep.equal([])
    expect(checkPortableSchema(JSON.parse(JSON.stringify(schema)), '/config')).to.deep.equal([])
  })

  const refused: readonly (readonly [string, unknown, string, RegExp])[] = [
    ['a tuple', TypeBox.Tuple([TypeBox.String()]), '/config/properties/it/additionalItems', /not among the keywords/],
    ['a big integer', TypeBox.BigInt(), '/config/properties/it/type', /must be one of/],
    ['a refinement', TypeBox.Refine(TypeBox.String(), () => true), '/config/properties/it', /“refine”, which exists in memory only/],
    [
      'a codec',
      TypeBox.Codec(TypeBox.String())
        .Decode((text) => text)
        .Encode((text) => text),
      '/config/properties/it',
      /in memory only/,
    ],
    ['a reference', { $ref: '#/x' }, '/config/properties/it/$ref', /not among the keywords/],
    ['a regular expression', { type: 'string', pattern: /a/ }, '/config/properties/it/pattern', /text of a regular expression/],
    ['a broken pattern', { type: 'string', pattern: '(' }, '/config/properties/it/pattern', /not a regular expression/],
    ['a date as default', { type: 'string', default: new Date(0) }, '/config/properties/it/default', /is a Date/],
    ['a function as default', { default: () => 1 }, '/config/properties/it/default', /is a function/],
    ['undefined in an example', { examples: [{ a: undefined }] }, '/config/properties/it/examples/0/a', /is undefined/],
    ['a big integer in an annotation', { 'x-limit': 1n }, '/config/properties/it/x-limit', /is a bigint/],
    ['an invalid secret mark', { type: 'string', 'x-secret': 'yes' }, '/config/properties/it/x-secret', /true or false/],
    ['a removal that says nothing', { 'x-removed': ' ' }, '/config/properties/it/x-removed', /text that is not empty/],
    ['an unknown way to expand', { 'x-expand': 'later' }, '/config/properties/it/x-expand', /“at-use” or “never”/],
    ['aliases that are not texts', { 'x-variant-aliases': { a: 1 } }, '/config/properties/it/x-variant-aliases', /object of texts/],
    ['known keys that are not a list', { 'x-known-keys': 'a' }, '/config/properties/it/x-known-keys', /list of texts/],
    ['a symbol as a key', { [Symbol('hidden')]: 1 }, '/config/properties/it', /symbol/],
    ['NaN', { minimum: Number.NaN }, '/config/properties/it/minimum', /NaN/],
    ['no schema', 'string', '/config/properties/it', /must be a JSON Schema object/],
    ['a list of schemas for items', { items: [{}] }, '/config/properties/it/items', /must be a JSON Schema object/],
  ]
  for (const [name, schema, path, message] of refused) {
    it(`refuses ${name}, with the path`, () => {
      const problems = checkPortableSchema({ type: 'object', properties: { it: schema } }, '/config')
      expect(problems.map((problem) => problem.path)).to.include(path)
      expect(problems.find((problem) => problem.path === path)?.message).to.match(message)
    })
  }

  it('refuses a schema that contains itself', () => {
    const schema: Record<string, unknown> = { type: 'array' }
    schema['items'] = schema
    expect(checkPortableSchema(schema, '/config')).to.deep.equal([
      { path: '/config/items', message: 'contains itself; JSON has no cycles' },
    ])
  })

  it('refuses a schema that is too deep in one place and sound in another', () => {
    const nest = (schema: object, times: number): object => (times === 0 ? schema : nest({ type: 'array', items: schema }, times - 1))
    const inner = nest({ type: 'string' }, 40)
    expect(checkPortableSchema(inner, '/config')).to.deep.equal([])
    expect(checkPortableSchema(nest(inner, 20), '/config')).to.deep.equal([])
    expect(checkPortableSchema(nest(inner, 30), '/config'))
      .to.have.nested.property('[0].message')
      .that.matches(/levels deep/)
    expect(checkPortableSchema(nest(inner, 20), '/config')).to.deep.equal([])
  })

  it('reports the same problem at every place of a schema, in whatever order it is met', () => {
    const wrong = { type: 'object', properties: { at: { type: 'date' } } }
    const schema = { type: 'object', properties: { one: wrong, fine: { type: 'string' }, other: wrong } }
    const paths = checkPortableSchema(schema, '/config').map(({ path }) => path)
    expect(paths).to.deep.equal(['one', 'other'].map((name) => `/config/properties/${name}/properties/at/type`))
  })
})
