import { expect } from 'chai'
import { parsePath } from './dotted-path.js'
import { isHarmlessAt } from './harmless.js'
import type { SchemaNode } from './schema-node.js'

const plain: SchemaNode = { type: 'string' }
const harmless: SchemaNode = { type: 'integer', 'x-harmless': true }
const closed = (properties: Readonly<Record<string, SchemaNode>>, more: Partial<SchemaNode> = {}): SchemaNode => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

const schema = closed({
  pace: closed({ first: harmless, second: closed({ third: harmless }), list: { type: 'array', items: plain, 'x-harmless': true } }),
  mixed: closed({ first: harmless, second: plain }),
  secret: { type: 'string', 'x-secret': true, 'x-harmless': true },
  marked: closed({ first: harmless, second: plain }, { 'x-harmless': true }),
  open: { type: 'object', properties: { first: harmless } },
  empty: closed({}),
  map: { type: 'object', additionalProperties: closed({ first: harmless, second: plain }) },
  pattern: { type: 'object', patternProperties: { '^[a-z]+$': closed({ first: harmless }) } },
  settings: { type: 'object', properties: { known: closed({ first: harmless }) }, patternProperties: { '^.*$': {} } },
  either: { anyOf: [harmless, { type: 'string' }] },
  choice: { anyOf: [{ const: 'one' }, { const: 'two' }], 'x-harmless': true },
  extended: closed(
    { first: harmless },
    {
      'x-extensions': {
        one: closed({ same: harmless, own: harmless }),
        two: closed({ same: plain }),
      },
    },
  ),
})

describe('isHarmlessAt', () => {
  for (const path of [
    'pace',
    'pace.first',
    'pace.second',
    'pace.second.third',
    'pace.list',
    'mixed.first',
    'marked.first',
    'open.first',
    '"map"."any".first',
    'pattern.any',
    'pattern',
    'choice',
    'settings.known',
    'settings.known.first',
    'extended.first',
    'extended.own',
  ])
    it(`says so of “${path}”`, () => expect(isHarmlessAt(schema, parsePath(path) ?? [])).to.equal(true))

  for (const path of [
    '',
    'mixed',
    'mixed.second',
    'secret',
    'marked',
    'marked.second',
    'open',
    'open.another',
    'open.another.inside',
    'empty',
    'map',
    'map.any',
    'map.any.second',
    'pattern.Any',
    'either',
    'settings',
    'settings.another',
    'settings.another.first',
    'extended',
    'extended.same',
    'unknown',
    'pace.unknown',
    'pace.first.inside',
    'pace.list[0]',
    'pace.__proto__',
    'pace.constructor',
  ])
    it(`does not of “${path}”`, () => expect(isHarmlessAt(schema, parsePath(path) ?? [])).to.equal(false))
})
