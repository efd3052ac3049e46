import { expect } from 'chai'
import { load, modelPlugins, refusalOf } from '../testing/configuration-fixture.js'
import { variableFor } from './environment-names.js'

const models = { plugins: modelPlugins }
const sectionsOf = (configuration: Awaited<ReturnType<typeof load>>): unknown => {
  const [owner] = modelPlugins
  return owner ? configuration.configurationOf(owner.manifest) : undefined
}

describe('environment names', () => {
  it('sets scalar fields of a section, in both spellings of the first separator', async () => {
    const { server } = await load({
      environment: { SERVICE_SERVER_PORT: ' 81 ', SERVICE_SERVER__LOG_LEVEL: 'debug', SERVICE_SERVER_MAX_BODY_SIZE_BYTES: '5' },
    })
    expect(server).to.include({ port: 81, log_level: 'debug', max_body_size_bytes: 5 })
  })

  it('is refused for two spellings with different values, not with the same', async () => {
    expect((await load({ environment: { SERVICE_SERVER_PORT: '81', SERVICE_SERVER__PORT: '81' } })).server.port).to.equal(81)
    const problems = await refusalOf({ environment: { SERVICE_SERVER_PORT: '81', SERVICE_SERVER__PORT: '82' } })
    expect(problems.join('\n')).to.match(/^server.port: SERVICE_SERVER_PORT and SERVICE_SERVER__PORT are two spellings/)
    const dataDir = await refusalOf({ environment: { SERVICE_SERVER_DATA_DIR: '/a', SERVICE_SERVER__DATA_DIR: '/b' } })
    expect(dataDir.join('\n')).to.match(/SERVICE_SERVER_DATA_DIR and SERVICE_SERVER__DATA_DIR are two spellings/)
  })

  it('reaches nested fields and entries of maps, also with a hyphen', async () => {
    const configuration = await load({
      ...models,
      yaml: 'providers: { my-work: { enabled: false } }\nmodels: { primary: { provider: my-work } }\n',
      environment: {
        SERVICE_MODELS__PRIMARY__RETRY__MAX_RETRIES: '3',
        SERVICE_MODELS_PRIMARY__TEMPERATURE: '.5',
        SERVICE_MODELS__PRIMARY__EXTRA_PARAMS__SEED: '7',
        SERVICE_MODELS__PRIMARY__EXTRA_PARAMS__NOTE: 'plain',
        SERVICE_PROVIDERS__MY_WORK__ENABLED: 'TRUE',
        SERVICE_PROVIDERS__GITHUB_COPILOT__ENABLED: 'false',
        SERVICE_PROVIDERS__NEW_ONE__API_KEY: 'key-text',
        SERVICE_PLUGINS_SETTINGS__TOOL_DICE__SIDES: '20',
      },
    })
    expect(sectionsOf(configuration)).to.deep.equal({
      providers: { 'my-work': { enabled: true }, 'github-copilot': { enabled: false }, new_one: { api_key: 'key-text', enabled: true } },
      models: {
        primary: {
          provider: 'my-work',
          temperature: 0.5,
          extra_params: { seed: 7, note: 'plain' },
          fallbacks: [],
          retry: { max_retries: 3, backoff_multiplier: 2 },
        },
      },
    })
    expect(configuration.plugins.settings).to.deep.equal({ 'tool-dice': { sides: 20 } })
  })

  it('are spelled with one separator after a section, and with two after one that is a map', () => {
    expect(variableFor(['server', 'max-body', 'size'])).to.equal('SERVICE_SERVER_MAX_BODY__SIZE')
    expect(variableFor(['providers', 'my-work', 'api_key'], { isMap: true })).to.equal('SERVICE_PROVIDERS__MY_WORK__API_KEY')
  })

  it('reads lists and objects as JSON, the whole value before deeper names', async () => {
    const configuration = await load({
      ...models,
      yaml: 'plugins: { disabled: [a] }\nproviders: { gone: {} }\n',
      environment: {
        SERVICE_PLUGINS_DISABLED: '["b"]',
        SERVICE_PROVIDERS: '{"work": {"api_key": "k"}}',
        SERVICE_PROVIDERS__WORK__ENABLED: 'false',
      },
    })
    expect(configuration.plugins.disabled).to.deep.equal(['b'])
    expect(sectionsOf(configuration))
      .to.have.property('providers')
      .that.deep.equals({ work: { api_key: 'k', enabled: false } })
  })

  it('counts an empty variable as not set', async () => {
    const { server, sourceOf } = await load({
      yaml: 'server: { port: 81 }',
      environment: { SERVICE_SERVER_PORT: '', SERVICE_SERVER_NONSENSE: '' },
    })
    expect(server.port).to.equal(81)
    expect(sourceOf('server.port')).to.equal('file')
  })

  it('refuses an unknown name in a known section and suggests the nearest', async () => {
    const problems = await refusalOf({
      environment: {
        SERVICE_SERVER_PROT: '1',
        SERVICE_MODELS_PRIMARY: '{"provider":"a"}',
        SERVICE_AUTH_: '1',
        SERVICE_SERVER_PORT__DEEPER: '1',
      },
    })
    expect(problems).to.have.length(3)
    expect(problems.join('\n')).to.match(/SERVICE_SERVER_PROT does not name a field; did you mean “SERVICE_SERVER_PORT”\?/)
    expect(problems.join('\n')).to.match(/SERVICE_AUTH_ does not name a field/)
    expect(problems.join('\n')).to.match(/SERVICE_SERVER_PORT__DEEPER does not name a field/)
  })

  it('only warns about an unknown first word, and never about other prefixes', async () => {
    const { warnings } = await load({
      environment: { SERVICE_SRVER_PORT: '1', SERVICE_HOST: 'x', SERVICE_: '1', SERVICE: '1', PATH: '/bin', XSERVICE_SERVER_PORT: '1' },
    })
    const own = warnings.filter((warning) => warning.includes('does not name a section'))
    expect(own).to.have.length(3)
    expect(own.join('\n')).to.match(/SERVICE_SRVER_PORT does not name a section.*SERVICE_SERVER_…/)
  })

  it('states the expected value without showing the text', async () => {
    const canary = 'canary-4711'
    const problems = await refusalOf({
      environment: {
        SERVICE_SERVER_PORT: canary,
        SERVICE_AUTH_ALLOW_REGISTRATION: canary,
        SERVICE_SERVER_LOG_LEVEL: canary,
        SERVICE_SERVER_CORS_ORIGINS: canary,
        SERVICE_PLUGINS_SOURCES: canary,
        SERVICE_SERVER_MAX_CONCURRENT_TASKS: '0',
      },
    })
    expect(problems).to.have.length(6)
    expect(problems.join('\n')).to.not.contain(canary)
    expect(problems.join('\n')).to.match(/server.port: must be a whole number; the text in SERVICE_SERVER_PORT is not/)
    expect(problems.join('\n')).to.match(/server.max_concurrent_tasks: must be at least 1.*\(SERVICE_SERVER_MAX_CONCURRENT_TASKS\)/)
    expect(problems.join('\n')).to.match(/plugins.sources: must be a list, written as JSON/)
  })

  it('does not replace references in its values', async () => {
    const { auth } = await load({ environment: { SERVICE_AUTH_ENCRYPTION_SECRET: 'a${HOME}b', HOME: 'x' } })
    expect(auth.encryption_secret).to.equal('a${HOME}b')
  })
})
