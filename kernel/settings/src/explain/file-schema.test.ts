import { readFile } from 'node:fs/promises'
import { isObject } from '@agent-service/kernel-core/config'
import { type JsonObject, type JsonValue, validate } from '@agent-service/sdk'
import { expect } from 'chai'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { fileSchema } from './file-schema.js'
import { examine } from './fixture.test.js'

describe('the schema of the file', () => {
  let schema: JsonObject
  const accepts = (value: unknown): boolean => validate(schema, value).length === 0
  const at = (...path: string[]): JsonValue | undefined =>
    path.reduce<JsonValue | undefined>((holder, name) => (isObject(holder) ? holder[name] : undefined), schema)
  const field = (...path: string[]): JsonObject => {
    const found = at('properties', ...path.flatMap((name, index) => (index === 0 ? [name] : ['properties', name])))
    return isObject(found) ? found : {}
  }

  before(async () => {
    schema = fileSchema((await examine()).schema)
  })

  it('has title, description, unit, default, example and the mark of a secret', () => {
    expect(schema['$schema']).to.equal('https://json-schema.org/draft/2020-12/schema')
    expect(field('server', 'shutdown_timeout_secs')).to.deep.include({
      title: 'Shutdown timeout secs',
      default: 60,
      'x-unit': 'seconds',
      examples: [60],
    })
    expect(field('server', 'shutdown_timeout_secs')['description']).to.match(/Unit: seconds\.$/)
    expect(field('auth', 'encryption_secret')).to.deep.include({ writeOnly: true, 'x-secret': true, examples: ['${ENCRYPTION_SECRET}'] })
    expect(field('auth', 'encryption_secret')).to.not.have.property('default')
    expect(field('database', 'path')['description']).to.contain('Default: {server_data_dir}/db.')
    expect(field('calls')).to.deep.nested.include({ 'properties.token.x-secret': true })
    expect(field('calls')['properties']).to.not.have.property('old_url')
  })

  it('offers typed settings, variants and known entries', () => {
    expect(at('$defs', 'models.settings', 'properties')).to.have.all.keys('seed', 'stop', 'top_k', 'depth')
    expect(at('$defs', 'models.entry', 'properties', 'api', 'anyOf')).to.deep.include({
      enum: ['completions', 'messages', 'later', 'chat_completions'],
    })
    expect(field('providers')['properties']).to.have.all.keys('github-copilot', 'groq')
  })

  for (const [what, value] of [
    ['nothing', null],
    ['an empty section and entry', { server: null, providers: { groq: null, own: {} } }],
    ['references of every type', { server: { port: '${PORT}', log_level: '${LEVEL}' }, auth: { allow_registration: '${OPEN}' } }],
    ['an empty text where nothing need be', { server: { base_url: '' } }],
    [
      'a typed setting of the variant, in any spelling',
      { models: { a: { api: 'chat_completions', seed: 1 }, b: { api: 'messages', top_k: 2 } } },
    ],
    ['a typed setting without a variant, or with an unknown one', { models: { a: { seed: 1 }, b: { api: 'other', seed: 1 } } }],
    ['anything in extra_params', { models: { a: { extra_params: { x: [null, { y: '${' }] } } } }],
    ['settings of a plugin that is not there', { plugins: { settings: { 'tool-dice': { sides: 3 }, other: { a: 1 } } } }],
  ] as const)
    it(`accepts ${what}`, () => expect(validate(schema, value)).to.deep.equal([]))

  for (const [what, value] of [
    ['an unknown section', { serve: {} }],
    ['an unknown field', { server: { prot: 1 } }],
    ['another type', { server: { port: 'many' } }],
    ['a number out of range', { server: { port: 70000 } }],
    ['a value that is no choice', { server: { log_level: 'loud' } }],
    ['a typed setting of another variant', { models: { a: { api: 'messages', seed: 1 } } }],
    ['the same in a fallback', { models: { a: { fallbacks: [{ provider: 'x', api: 'completions', top_k: 1 }] } } }],
    ['a field that is gone', { calls: { old_url: 'x' } }],
    ['a key that no entry may have', { providers: { A: {} } }],
    ['a setting that its plugin does not have', { plugins: { settings: { 'tool-dice': { side: 3 } } } }],
    ['a second look at extra_params as a list', { models: { a: { extra_params: [] } } }],
  ] as const)
    it(`refuses ${what}`, () => expect(accepts(value)).to.equal(false))

  it('has only examples and defaults that it accepts', () => {
    const problems: string[] = []
    const look = (node: JsonValue, path: string): void => {
      if (Array.isArray(node)) for (const [index, item] of node.entries()) look(item as JsonValue, `${path}/${index}`)
      if (!isObject(node)) return
      const { examples, default: given, $defs: _definitions, ...own } = node
      const values = [...(Array.isArray(examples) ? examples : []), ...(given === undefined ? [] : [given])]
      for (const value of values)
        if (validate({ ...own, $defs: schema['$defs'] ?? {} }, value).length > 0) problems.push(`${path}: ${JSON.stringify(value)}`)
      for (const [name, member] of Object.entries(node)) if (name !== 'default' && name !== 'examples') look(member, `${path}/${name}`)
    }
    look(schema, '')
    expect(problems).to.deep.equal([])
  })

  it('accepts every file that the service starts with', async () => {
    const scalar = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.boolean(),
      fc.constantFrom('a', '', '${ONE}', 'https://a.example', 'info', 'completions'),
    )
    const names = fc.constantFrom(
      'port',
      'base_url',
      'log_level',
      'poll_secs',
      'enabled',
      'provider',
      'api',
      'seed',
      'top_k',
      'temperature',
    )
    const entry = fc.oneof(fc.constant(null), fc.dictionary(names, scalar, { maxKeys: 2 }))
    const section = fc.oneof(entry, fc.dictionary(fc.constantFrom('groq', 'main'), entry))
    const file = fc.dictionary(fc.constantFrom('server', 'scheduler', 'providers', 'models', 'calls'), section)
    let started = 0
    await fc.assert(
      fc.asyncProperty(file, async (value) => {
        const { problems } = await examine(stringify(value), { ONE: '1' })
        if (problems.length > 0) return
        started += 1
        expect(validate(schema, value), JSON.stringify(value)).to.deep.equal([])
      }),
      { numRuns: 200 },
    )
    expect(started).to.be.greaterThan(10)
  })

  it('that ships accepts the example that ships', async () => {
    const shipped = JSON.parse(await readFile(new URL('../../../../resources/config.schema.json', import.meta.url), 'utf8')) as JsonObject
    expect(
      validate(shipped, parse(await readFile(new URL('../../../../resources/config.example.yaml', import.meta.url), 'utf8'))),
    ).to.deep.equal([])
  })
})
