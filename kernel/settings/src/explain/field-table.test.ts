import { developmentEncryptionSecret, kernelSchema, plainSchema, valueAt } from '@agent-service/kernel-core/config'
import { load } from '@agent-service/kernel-core/config/testing'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { fieldRows } from './field-table.js'

describe('the table of fields', () => {
  it('says type, range, unit, default and what holds without one, and leaves out what is gone', () => {
    const section = Type.Object({
      share: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 95, 'x-unit': 'percent', description: 'A share.' }),
      place: Type.String({ 'x-default-path': '{storage.data_dir}/place', description: 'A place.' }),
      zone: Type.Optional(Type.String({ 'x-default-text': 'auto-detect', description: 'A zone.' })),
      word: Type.String({ default: 'known', 'x-secret': true, 'x-default-text': 'a built-in word', description: 'A word.' }),
      kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')], { 'x-no-effect': 'Not yet.', description: 'A kind.' })),
      gone: Type.Optional(Type.Unknown({ 'x-removed': 'Use kind.' })),
      map: Type.Record(Type.String(), Type.Object({ names: Type.Array(Type.String(), { default: [] }) }), { default: {} }),
    })
    const rows = fieldRows(plainSchema(section), ['garden'])
    expect(rows.map((row) => [row.path, row.type, row.default, row.absent, row.unit, row.secret, row.description])).to.deep.equal([
      ['garden.share', 'number over 0 to 100', '95', '', 'percent', false, 'A share.'],
      ['garden.place', 'string', '{storage.data_dir}/place', '', '', false, 'A place.'],
      ['garden.zone', 'string', '', 'auto-detect', '', false, 'A zone.'],
      ['garden.word', 'string', 'a built-in word', '', '', true, 'A word.'],
      ['garden.kind', 'a | b', '', '', '', false, 'A kind. No effect yet: Not yet.'],
      ['garden.map.<name>.names', 'list of string', '[]', '', '', false, ''],
    ])
    expect(rows.map((row) => row.variable))
      .to.include('SERVICE_GARDEN_SHARE')
      .and.include('SERVICE_GARDEN_MAP__<NAME>__NAMES')
  })

  it('shows of the kernel’s sections what an empty configuration has', async () => {
    const configuration = await load({ plugins: [] })
    for (const row of fieldRows(kernelSchema)) {
      const value = valueAt(JSON.parse(JSON.stringify(configuration)), row.path.split('.'))
      if (row.default === '') expect(value, row.path).to.equal(undefined)
      else if (row.secret) expect(value, row.path).to.equal(developmentEncryptionSecret)
      else if (!row.default.startsWith('{'))
        expect(typeof value === 'string' ? value : JSON.stringify(value), row.path).to.equal(row.default)
      expect(configuration.sourceOf(row.path), row.path).to.equal('default')
    }
  })
})
