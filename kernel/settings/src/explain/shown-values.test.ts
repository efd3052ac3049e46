import { expect } from 'chai'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { explainFields } from './explain-fields.js'
import { examine } from './fixture.test.js'
import { effectiveValues, savedValues } from './shown-values.js'

describe('values as they are shown', () => {
  it('have the state of each secret in its place, of unset ones too', async () => {
    const examination = await examine(
      'auth: { encryption_secret: mine }\nproviders: { work: { api_key: "x${KEY}${OTHER}" }, home: {} }\n',
      {
        KEY: 'k',
      },
    )
    const values = effectiveValues(examination)
    expect(values).to.deep.nested.include({
      'auth.encryption_secret': { is_set: true, source: 'file' },
      'providers.work.api_key': { is_set: true, source: 'file', reference: '${KEY}, ${OTHER}' },
      'providers.home': { enabled: true, api_key: { is_set: false, source: 'default' } },
      'database.url': { is_set: false, source: 'default' },
      'server.port': 3001,
    })
    expect(savedValues(examination)).to.deep.equal({
      auth: { encryption_secret: { is_set: true, source: 'file' } },
      providers: { work: { api_key: { is_set: true, source: 'file', reference: '${KEY}, ${OTHER}' } }, home: {} },
    })
  })

  it('take a reference to nothing and the built-in value for not set', async () => {
    const examination = await examine('providers: { work: { api_key: "${NONE}" } }', { SERVICE_DATABASE_URL: 'postgres://a' })
    expect(effectiveValues(examination)).to.deep.nested.include({
      'providers.work.api_key': { is_set: false, source: 'file', reference: '${NONE}' },
      'auth.encryption_secret': { is_set: false, source: 'default' },
      'database.url': { is_set: true, source: 'environment' },
    })
  })

  it('hide what stands in the wrong place, at an unknown key, or under a name that speaks for itself', async () => {
    const canary = 'canary'
    const yaml = stringify({
      providers: { a: canary, b: { api_kye: canary, deeper: [{ x: canary }] } },
      auth: { encryption_secret: { inside: canary } },
      unknown: canary,
      models: { m: { provider: 'a', extra_params: { api_key: canary, headers: { authorization: canary }, seed: 1 } } },
      plugins: { settings: { nobody: { password: canary, label: 'shown' } } },
    })
    const examination = await examine(yaml)
    const all = [savedValues(examination), effectiveValues(examination)]
    expect(JSON.stringify(all)).to.not.contain(canary)
    expect(all[0]).to.deep.nested.include({ 'models.m.extra_params.seed': 1, 'plugins.settings.nobody.label': 'shown' })
  })

  it('are the reference alone where the schema says nothing of a place', async () => {
    const text = 'plugins: { settings: { gone: { label: "a${KEY}", list: ["${KEY}"], plain: shown } } }\nserver: { base_url: "${URL}" }\n'
    const examination = await examine(text, { KEY: 'canary', URL: 'https://a.example' })
    const values = effectiveValues(examination)
    expect(JSON.stringify([values, savedValues(examination), explainFields(examination)])).to.not.contain('canary')
    expect(values).to.deep.nested.include({
      'plugins.settings.gone.label': { is_set: true, source: 'file', reference: '${KEY}' },
      'plugins.settings.gone.plain': 'shown',
      'server.base_url': 'https://a.example',
    })
  })

  it('show no secret of any configuration', async () => {
    const canary = 'canary-4711'
    const secret = fc.oneof(fc.constant(canary), fc.constant('${KEY}'), fc.constant(`${canary}\${KEY}`), fc.array(fc.constant(canary)))
    const connection = fc.record({ api_key: secret, base_url: fc.constant('https://a.example') }, { requiredKeys: [] })
    const file = fc.record(
      {
        auth: fc.record({ encryption_secret: secret }),
        database: fc.record({ url: secret, driver: fc.constantFrom('sqlite', 'postgres') }),
        providers: fc.dictionary(fc.constantFrom('work', 'home', 'A B'), connection),
        calls: fc.record({ token: secret }),
      },
      { requiredKeys: [] },
    )
    const variables = fc.record(
      { SERVICE_PROVIDERS__WORK__API_KEY: fc.constant(canary), SERVICE_CALLS_TOKEN: fc.constant(canary) },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(file, variables, async (value, environment) => {
        const examination = await examine(stringify(value), { KEY: canary, ...environment })
        const shown = JSON.stringify([effectiveValues(examination), savedValues(examination), explainFields(examination)])
        expect(shown).to.not.contain(canary)
      }),
      { numRuns: 100 },
    )
  })
})
