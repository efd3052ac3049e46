import { type JsonObject, type JsonValue, validate } from '@agent-service/sdk'
import { expect } from 'chai'
import { repositoryResources } from '../test-support/fakes.js'
import { modelsFileSchema, overridesFileSchema } from './catalogue-schema.js'
import { isClearlyValidOverrides, isClearlyValidSnapshot } from './fast-validation.js'

const full: JsonObject = {
  context_window: 5,
  max_output_tokens: 4,
  protocol: 'completions',
  name: 'M',
  price: {
    input: 1,
    output: 2,
    cached_input: 0,
    cache_write: 0.5,
    tiers: [{ above_input_tokens: 7, input: 1, output: 2, cached_input: 3 }],
  },
  input: ['image'],
  abilities: ['tools'],
}
const fileWith = (model: JsonValue): JsonObject => ({ version: '2026-07-02', models: { openai: { m: model } } })

/** The value with each member, at every depth, removed or replaced by an invalid value. */
function changesOf(value: JsonValue): readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const rebuild = (changed: readonly (readonly [string, JsonValue])[]): JsonValue =>
    Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed)
  const odd: readonly JsonValue[] = [null, -1, 0, 1.5, '', 'x', true, [], {}, [1], ['']]
  return entries.flatMap(([name, member]) => [
    rebuild(entries.filter(([other]) => other !== name)),
    ...[...odd, ...changesOf(member)].map((replaced) => rebuild(entries.map(([other, old]) => [other, other === name ? replaced : old]))),
  ])
}

describe('the fast validation of a snapshot', () => {
  it('accepts the shipped one, as the schema does', async () => {
    const shipped = JSON.parse(await repositoryResources.read('catalogue/models.json')) as JsonObject
    expect(isClearlyValidSnapshot(shipped)).to.equal(true)
    expect(validate(modelsFileSchema, shipped)).to.deep.equal([])
  })

  it('accepts nothing that the schema refuses, and everything in a snapshot', () => {
    const files = [fileWith(full), ...changesOf(fileWith(full))]
    expect(files.length).to.be.greaterThan(150)
    expect(isClearlyValidSnapshot(fileWith(full))).to.equal(true)
    const taken = files.filter(isClearlyValidSnapshot)
    for (const file of taken) expect(validate(modelsFileSchema, file), JSON.stringify(file)).to.deep.equal([])
    expect(taken.length).to.be.greaterThan(20)
    expect(taken.length).to.be.lessThan(files.length / 2)
  })

  it('works for overrides too, in which all members are optional', () => {
    const bare: JsonObject = { models: { openai: { m: {} } } }
    expect(isClearlyValidOverrides(bare)).to.equal(true)
    const taken = [fileWith(full), bare, ...changesOf(fileWith(full)), ...changesOf(bare)].filter(isClearlyValidOverrides)
    for (const file of taken) expect(validate(overridesFileSchema, file), JSON.stringify(file)).to.deep.equal([])
    expect(taken.length).to.be.greaterThan(20)
    expect(taken).to.deep.include({ version: '2026-07-02', models: {} })
  })
})
