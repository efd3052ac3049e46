import { expect } from 'chai'
import { load, refusalOf } from '../testing/configuration-fixture.js'

const own = 'auth: { encryption_secret: "x${MASTER}" }\n'

describe('the variable of the encryption secret', () => {
  const places: readonly (readonly [where: string, yaml: string, path: string])[] = [
    ['a text that is shown', 'server: { base_url: "https://a.example/${MASTER}" }', 'server.base_url'],
    ['a number', 'server: { port: "${MASTER}" }', 'server.port'],
    ['another secret', 'database: { url: "postgres://a:${MASTER}@b/c" }', 'database.url'],
    ['a key that is resolved at each use', 'providers: { groq: { api_key: "${MASTER}" } }', 'providers.groq.api_key'],
    ['a model group', 'models: { p: { provider: "a-${MASTER}" } }', 'models.p.provider'],
    ['an item of a list', 'plugins: { required: [a, "${MASTER}"] }', 'plugins.required[1]'],
    ['the settings of a plugin', 'plugins: { settings: { tool-dice: { label: "${MASTER}" } } }', 'plugins.settings.tool-dice.label'],
    ['settings that nothing is known of', 'plugins: { settings: { other: { a: [{ b: "${MASTER}" }] } } }', 'plugins.settings.other.a[0].b'],
    ['literal text', 'models: { p: { provider: a, extra_params: { a: [{ b: "-${MASTER}-" }] } } }', 'models.p.extra_params.a[0].b'],
    ['a key that is not known', 'server: { prot: "${MASTER}" }', 'server.prot'],
    [
      'a place beside it in its section',
      'auth: { encryption_secret: "${MASTER}", access_token_expiry_secs: "${MASTER}" }',
      'auth.access_token_expiry_secs',
    ],
  ]
  for (const [where, yaml, path] of places) {
    it(`is refused in ${where}, with the path and the correction, and without its value`, async () => {
      const environment = { MASTER: 'canary-of-the-secret' }
      const problems = await refusalOf({ yaml: yaml.startsWith('auth') ? yaml : `${own}${yaml}\n`, environment })
      const reported = problems.find((problem) => problem.startsWith(`${path}: refers to \${MASTER}, which contains the encryption secret`))
      expect(reported, problems.join('\n')).to.contain('Use another variable for this field')
      expect(problems.join('\n')).to.not.contain('canary')
    })
  }

  const names = ['SERVICE_AUTH_ENCRYPTION_SECRET', 'SERVICE_AUTH__ENCRYPTION_SECRET', 'SERVICE_AUTH', 'AGENT_SERVICE_NEW_ENCRYPTION_SECRET']
  for (const name of [...names, 'SERVICE_auth_Encryption_Secret']) {
    it(`is refused by its name, ${name}, wherever the secret comes from`, async () => {
      const environment = { SERVICE_AUTH_ENCRYPTION_SECRET: 'canary-of-the-secret' }
      const problems = await refusalOf({ yaml: `providers: { groq: { api_key: "\${${name}}" } }\n`, environment })
      expect(problems.join('\n')).to.match(/^providers\.groq\.api_key: refers to .* \(1:\d+\)$/)
    })
  }

  it('is refused in the value of a variable, with the name of that variable', async () => {
    const environment = {
      MASTER: 'canary',
      SERVICE_PROVIDERS__GROQ__API_KEY: '${MASTER}',
      SERVICE_PLUGINS_SETTINGS: '{"tool-dice":{"label":"${MASTER}"}}',
    }
    const problems = await refusalOf({ yaml: own, environment })
    expect(problems).to.have.length(2)
    expect(problems.join('\n'))
      .to.match(/^providers\.groq\.api_key: refers to \$\{MASTER\}/m)
      .and.match(/^plugins\.settings\.tool-dice\.label: refers to/m)
  })

  it('is allowed in the secret itself, and other variables anywhere', async () => {
    const { auth, server } = await load({
      yaml: `${own}server: { base_url: "\${BASE}" }\n`,
      environment: { MASTER: 's', BASE: 'https://a.example' },
    })
    expect([auth.encryption_secret, server.base_url]).to.deep.equal(['xs', 'https://a.example'])
  })
})
