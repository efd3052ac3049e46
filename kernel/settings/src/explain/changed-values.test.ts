import type { SchemaNode } from '@agent-service/kernel-core/config'
import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { changedValues } from './changed-values.js'

const secret: SchemaNode = { type: 'string', 'x-secret': true }
const schema: SchemaNode = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    key: secret,
    literal: { ...secret, 'x-expand': 'never' },
    keys: { type: 'array', items: secret },
    settings: { type: 'object', additionalProperties: {} },
    work: { type: 'object', properties: { key: secret, port: { type: 'integer' } }, additionalProperties: false },
  },
}

describe('what a change of the configuration says of itself', () => {
  const cases: readonly (readonly [what: string, before: JsonObject, after: JsonObject, told: JsonObject, toldAfter: JsonObject])[] = [
    ['nothing of what stays', { name: 'a', key: 'one' }, { name: 'a', key: 'one' }, {}, {}],
    ['a value before and after', { name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'b' }],
    ['a secret that is set', {}, { key: 'one' }, { key: null }, { key: 'set' }],
    ['a secret that is changed', { key: 'one' }, { key: 'two' }, { key: 'set' }, { key: 'changed' }],
    ['a secret that is cleared', { key: 'one' }, {}, { key: 'set' }, { key: 'cleared' }],
    ['references as they are', { key: '${OLD_KEY}' }, { key: '${NEW_KEY}' }, { key: '${OLD_KEY}' }, { key: '${NEW_KEY}' }],
    ['a literal that looks like a reference', {}, { literal: '${hunter2}' }, { literal: null }, { literal: 'set' }],
    ['secrets in a list', { keys: ['one'] }, { keys: ['one', 'two'] }, { keys: ['set'] }, { keys: ['set', 'set'] }],
    [
      'a section that is new',
      {},
      { work: { key: 'one', port: 1 } },
      { 'work.key': null, 'work.port': null },
      { 'work.key': 'set', 'work.port': 1 },
    ],
    ['text in place of a section', {}, { work: 'hunter2' }, { work: null }, { work: 'set' }],
    ['a key that nobody knows', {}, { api_kye: 'hunter2' }, { api_kye: null }, { api_kye: 'set' }],
    [
      'a name that sounds like a secret',
      {},
      { settings: { api_key: 'hunter2' } },
      { 'settings.api_key': null },
      { 'settings.api_key': 'set' },
    ],
    ['an address without its password', {}, { name: 'https://u:hunter2@h/p' }, { name: null }, { name: 'https://…@h/p' }],
  ]
  for (const [what, before, after, told, toldAfter] of cases)
    it(`has ${what}`, () => expect(changedValues(schema, before, after)).to.deep.equal({ before: told, after: toldAfter }))
})
