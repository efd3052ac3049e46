import { parsePath } from '@agent-service/kernel-core/config'
import { expect } from 'chai'
import { explainFields, fieldLines, fieldReferences, fieldSources } from './explain-fields.js'
import type { FieldExplanation } from './field-explanation.js'
import { examine } from './fixture.test.js'

const yaml = [
  'server:',
  '  port: 4000',
  '  static_dir: pages',
  '  max_concurrent_tasks: 3',
  'providers:',
  '  work: { api_key: "${WORK_KEY}" }',
  'models:',
  '  main: { provider: work, api: completions, seed: 4, retry: { max_retries: "${RETRIES}" } }',
  'calls: { token: secret-of-calls }',
  '',
].join('\n')

const environment = { SERVICE_SERVER_PORT: '9000', WORK_KEY: 'secret-of-work', RETRIES: '2', SERVICE_MODELS__MAIN__TEMPERATURE: '1' }

describe('explainFields', () => {
  let fields: readonly FieldExplanation[]
  const field = (path: string): FieldExplanation => {
    const found = fields.find((candidate) => candidate.path === path)
    if (found === undefined) throw new Error(`${path} is not explained.`)
    return found
  }

  before(async () => {
    fields = explainFields(await examine(yaml, environment)) ?? []
  })

  it('says of a default that it is one', () => {
    expect(field('server.host')).to.deep.include({ value: '127.0.0.1', source: 'default', default: '127.0.0.1', notes: [], problems: [] })
    expect(field('server.host')).to.not.have.any.keys('place', 'saved', 'lockedBy')
    expect(field('server.base_url')).to.not.have.any.keys('value', 'default')
    expect(field('database.path')).to.deep.include({ value: '/srv/data/db', defaultText: '{server_data_dir}/db', source: 'default' })
    expect(field('calls.zone')).to.deep.include({ defaultText: 'that of the system' })
  })

  it('gives the place of a value in the file, and what is written there where that is something else', () => {
    expect(field('models.main.seed')).to.deep.include({ value: 4, source: 'file', place: '8:51', owner: 'provider-one' })
    expect(field('models.main.seed')).to.not.have.property('saved')
    expect(field('server.static_dir')).to.deep.include({ value: '/srv/pages', saved: 'pages', place: '3:15' })
    expect(field('models.main.retry.max_retries')).to.deep.include({ value: 2, saved: '${RETRIES}', source: 'file' })
  })

  it('gives the lines of the values that the file sets, and of no others', async () => {
    const lines = fieldLines(await examine(yaml, environment))
    expect(lines).to.include({
      'server.port': 2,
      'server.static_dir': 3,
      'providers.work.api_key': 6,
      'models.main.seed': 8,
      'calls.token': 9,
    })
    expect(lines).to.not.have.any.keys('server.host', 'models.main.temperature', 'models.main.extra_params')
    expect(fieldLines(await examine())).to.deep.equal({})
  })

  it('gives the references of a value beside it, of secrets alone, and none where a variable has the last word', async () => {
    expect(field('models.main.retry.max_retries')).to.include({ value: 2, reference: '${RETRIES}' })
    expect(field('providers.work.api_key')).to.include({ reference: '${WORK_KEY}' })
    expect(field('server.port')).to.not.have.property('reference')
    const text = [
      'server: { base_url: "https://${HOST}:${PORT}/${HOST}", port: "${PORT}" }',
      'plugins: { required: [a, "${HOST}"] }',
      'models: { m: { provider: a, extra_params: { b: "${HOST}" } } }',
    ].join('\n')
    const examination = await examine(text, { HOST: 'h', PORT: '1', SERVICE_SERVER_PORT: '2' })
    expect(fieldReferences(examination)).to.deep.equal({ 'server.base_url': '${HOST}, ${PORT}', 'plugins.required': '${HOST}' })
    const explained = explainFields(examination, ['server', 'port']) ?? []
    expect(explained[0]).to.deep.include({ value: 2, saved: '${PORT}' })
    expect(explained[0]).to.not.have.property('reference')
  })

  it('gives the variable that sets a value, and what the file has below it', () => {
    const port = { value: 9000, source: 'environment', place: 'SERVICE_SERVER_PORT', lockedBy: 'SERVICE_SERVER_PORT', saved: 4000 }
    expect(field('server.port')).to.deep.include(port)
    expect(field('models.main.temperature')).to.deep.include({ value: 1, lockedBy: 'SERVICE_MODELS__MAIN__TEMPERATURE' })
  })

  it('shows no secret', () => {
    expect(JSON.stringify(fields)).to.not.contain('secret-of')
    expect(field('providers.work.api_key')).to.deep.include({
      secret: true,
      value: { is_set: true, source: 'file', reference: '${WORK_KEY}' },
      place: '6:20',
    })
    expect(field('auth.encryption_secret')).to.deep.include({ value: { is_set: false, source: 'default' } })
    expect(field('auth.encryption_secret')).to.not.have.property('default')
    expect(field('database.url')).to.deep.include({ value: { is_set: false, source: 'default' } })
  })

  it('says what has no effect, and why', async () => {
    expect(field('calls.token')).to.deep.include({ owner: 'feature-calls', secret: true })
    expect(field('calls.token').notes).to.have.length(1)
    const group = explainFields(await examine('models: { m: { provider: p, api: later, depth: 1 } }'), ['models', 'm']) ?? []
    for (const path of ['models.m.api', 'models.m.depth'])
      expect(group.find((candidate) => candidate.path === path)?.notes).to.deep.equal(['No effect: It comes later.'])
    const disabled =
      explainFields(await examine('plugins: { disabled: [tool-dice], settings: { gone: { a: 1 } } }', {}, ['tool-dice'])) ?? []
    const notesOf = (path: string): readonly string[] | undefined => disabled.find((candidate) => candidate.path === path)?.notes
    expect(notesOf('plugins.settings.tool-dice.sides')).to.deep.equal(['tool-dice, which reads it, is disabled (plugins.disabled).'])
    expect(notesOf('plugins.settings.gone')).to.deep.equal(['No effect: no source has a plugin “gone”.'])
  })

  it('lists entries of maps that are there, the settings of their variant, and no field that is gone', () => {
    const paths = fields.map((candidate) => candidate.path)
    expect(paths).to.include.members(['models.main.stop', 'plugins.settings.tool-dice.label', 'providers.work.enabled'])
    expect(paths).to.not.include.members(['models.main.top_k'])
    expect(paths).to.not.include('calls.old_url')
    expect(paths).to.have.length(new Set(paths).size)
    for (const path of paths) expect(parsePath(path), path).to.not.equal(undefined)
  })

  it('explains one place, also an entry that is not there, and nothing at a place that the schema does not know', async () => {
    const examination = await examine(yaml, environment)
    const at = (...path: string[]): readonly string[] | undefined => explainFields(examination, path)?.map((candidate) => candidate.path)
    expect(at('server', 'port')).to.deep.equal(['server.port'])
    expect(at('models', 'main', 'retry')).to.deep.equal(
      ['models.main.retry.backoff_multiplier', 'models.main.retry.max_retries'].sort().reverse(),
    )
    expect(at('providers', 'new', 'base_url')).to.deep.equal(['providers.new.base_url'])
    expect(at('server', 'prot')).to.equal(undefined)
    expect(at('server', 'port', 'deeper')).to.equal(undefined)
  })

  it('tells of a configuration that does not hold what is wrong where', async () => {
    const wrong = explainFields(await examine('server: { port: many }\ncache: { entity_ttl_secs: 5 }')) ?? []
    expect(wrong.find(({ path }) => path === 'server.port')).to.deep.include({
      value: 3001,
      saved: 'many',
      problems: ['must be a whole number, found text “many” (1:17)'],
    })
    expect(wrong.find(({ path }) => path === 'cache.entity_ttl_secs')).to.deep.include({ value: 5, problems: [] })
  })

  it('gives the same sources as fieldSources', async () => {
    const sources = fieldSources(await examine(yaml, environment))
    expect(sources).to.deep.equal(Object.fromEntries(fields.map(({ path, source }) => [path, source])))
  })
})
