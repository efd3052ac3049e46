import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTestConfigurations, type TestConfigurations } from '@agent-service/kernel/testing'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { choicesOf, fieldsOf, type Schema, typedPropertiesOf, typeOf } from './support/schema-fields.js'
import { allFields, pathOf, protocols, type SpecifiedField, specification } from './support/specification.js'

const installedResources = fileURLToPath(new URL('../../../resources', import.meta.url))

const withoutEmpty = (value: unknown): object =>
  Object.fromEntries(Object.entries(value as object).filter(([, settings]) => Object.keys(settings as object).length > 0))

describe('the fields of the specification', () => {
  let configurations: TestConfigurations
  let schema: Schema
  let defaults: JsonObject

  before(async () => {
    configurations = await openTestConfigurations()
    const loaded = await configurations.load()
    expect(loaded.problems).to.deep.equal([])
    if (loaded.schema === undefined) throw new Error('There is no schema.')
    schema = loaded.schema
    defaults = loaded.values
  })

  after(() => configurations.remove())

  for (const field of allFields) {
    it(`${pathOf(field)} is in the schema as it is in the table`, () => {
      const found = fieldsOf(schema).get(pathOf(field))
      if (found === undefined) throw new Error('The schema does not have it.')
      const { node, required } = found
      expect(typeOf(node), 'type').to.equal(field.type)
      expect(choicesOf(node), 'choices').to.deep.equal(field.choices)
      expect(node['x-unit'], 'unit').to.equal(field.unit)
      expect(node['x-secret'] ?? false, 'secret').to.equal(field.secret ?? false)
      expect(node['x-default-text'], 'what holds where it is absent').to.equal(field.default_text)
      expect(node['x-no-effect'] !== undefined || !field.unused, 'says that it has no effect').to.equal(true)
      expect(node.description, 'description').to.match(/\.$/)
      const hasDefault = node.default !== undefined || node['x-default-path'] !== undefined
      expect(required && !hasDefault, 'required').to.equal(field.required ?? false)
      if (field.path) expect(node['x-path'], 'is a path').to.equal(true)
      else if (field.default_text === undefined) expect(node.default, 'default').to.deep.equal(field.default)
    })
  }

  it('are all that the schema has, beside those that this project adds', () => {
    const refused = specification.refused.map(pathOf)
    const known = new Set([...allFields.map(pathOf), ...refused])
    expect([...fieldsOf(schema).keys()].filter((name) => !known.has(name))).to.deep.equal([])
    expect(allFields.map(pathOf)).to.have.length(new Set(allFields.map(pathOf)).size)
  })

  it('have their defaults in an empty configuration', () => {
    for (const field of allFields.filter(({ section }) => section !== 'providers' && section !== 'models')) {
      if (field.secret || field.default_text !== undefined) continue
      const value = valueAt(defaults, pathOf(field))
      // Plugins that ship and have settings are there, without any.
      const isSettings = pathOf(field) === 'plugins.settings'
      expect(isSettings ? withoutEmpty(value) : value, pathOf(field)).to.deep.equal(expectedDefault(field))
    }
    expect(defaults).to.deep.include({ providers: {}, models: {} })
  })

  it('have their defaults in entries of maps', async () => {
    const { values, problems } = await configurations.load({
      yaml: 'providers: { work: { provider: groq } }\nmodels: { primary: { provider: work, model: m } }\n',
    })
    expect(problems).to.deep.equal([])
    expect(values['providers']).to.deep.equal({ work: { provider: 'groq', enabled: true } })
    const retry = { max_retries: 10, initial_backoff_ms: 1000, backoff_multiplier: 2, max_backoff_ms: 60_000 }
    expect(values['models']).to.deep.equal({ primary: { provider: 'work', model: 'm', extra_params: {}, fallbacks: [], retry } })
  })

  it('that are typed by protocol are what plugins add for it, no more and no less', () => {
    for (const protocol of protocols) {
      const expected = specification.typed_properties.filter((property) => property.protocols.includes(protocol))
      const found = typedPropertiesOf(schema, protocol)
      const describe = (name: string, type: string, choices: readonly unknown[] | undefined): string =>
        `${protocol} ${name} ${type}${choices === undefined ? '' : ` ${choices.join(' | ')}`}`
      expect([...found].map(([name, { node }]) => describe(name, typeOf(node), choicesOf(node))).sort()).to.deep.equal(
        expected.map(({ field, type, choices }) => describe(field, type, choices)).sort(),
      )
    }
  })

  for (const { section, field, use } of specification.refused) {
    it(`${section}.${field} is refused, and the message names ${use}`, async () => {
      const name = field.split('.').at(-1) ?? ''
      const inFile = section === 'providers' ? `providers: { work: { provider: azure, base_url: 'https://a.example', ${name}: x } }` : ''
      const { problems } = await configurations.load({ yaml: inFile || `${section}: { ${name}: 'https://a.example' }` })
      expect(problems.map((problem) => problem.path)).to.deep.equal([
        section === 'providers' ? `providers.work.${name}` : pathOf({ section, field }),
      ])
      expect(problems[0]?.message).to.contain(use)
    })
  }

  function expectedDefault(field: SpecifiedField): JsonValue | undefined {
    if (!field.path) return field.default
    const written = String(field.default)
    if (written === 'resources') return installedResources
    const dataDir = String(valueAt(defaults, 'storage.data_dir'))
    return path.resolve(configurations.folder, written.replace('{data_dir}', dataDir))
  }
})

const valueAt = (value: JsonValue | undefined, dotted: string): JsonValue | undefined =>
  dotted
    .split('.')
    .reduce<JsonValue | undefined>(
      (holder, name) => (typeof holder === 'object' && holder !== null ? (holder as JsonObject)[name] : undefined),
      value,
    )
