import { modelPlugins, plugin } from '@agent-service/kernel-core/config/testing'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import type { ConfigurationPatch } from './configuration-editor.js'
import { type Desk, openDesk, refusal } from './fixture.test.js'

const settings = plugin({
  id: 'tool-keys',
  config: Type.Object({
    key: Type.Optional(Type.String({ 'x-secret': true })),
    label: Type.Optional(Type.String()),
    hosts: Type.Array(Type.Object({ name: Type.Optional(Type.String()), token: Type.Optional(Type.String({ 'x-secret': true })) }), {
      default: [],
    }),
  }),
})

const yaml = [
  'auth: { encryption_secret: "${MASTER}" }',
  'server:',
  '  base_url: https://${HOST}/a',
  'plugins:',
  '  settings:',
  '    tool-keys:',
  '      hosts: [{ name: a }, { name: "${NAME}", token: "${TOKEN}" }]',
  'models:',
  '  p: { provider: groq, extra_params: { a: "${LITERAL}" } }',
  '',
].join('\n')

const environment = {
  MASTER: 'm',
  HOST: 'a.example',
  NAME: 'canary-name',
  TOKEN: 'canary-token',
  KEY: 'canary-key',
  LOUD: 'canary-loud',
  NEW: 'n',
}

describe('references that a change from outside brings in', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({
      ...{ yaml, environment },
      plugins: [...modelPlugins, settings],
      newReferences: { isReserved: (name) => name === 'MASTER_OF_THE_RUNNING_SERVICE' },
    })
  })

  const refused: readonly (readonly [what: string, patch: ConfigurationPatch, path: string])[] = [
    ['an address', { set: { 'server.base_url': '${LOUD}' } }, 'server.base_url'],
    ['an address, beside the reference that is there', { set: { 'server.base_url': 'https://${HOST}/${LOUD}' } }, 'server.base_url'],
    ['a section', { set: { server: { base_url: '${LOUD}' } } }, 'server.base_url'],
    ['a quoted path', { set: { '"server"."base_url"': '${LOUD}' } }, 'server.base_url'],
    ['a number', { set: { 'server.port': '${LOUD}' } }, 'server.port'],
    ['a model', { set: { 'models.p.provider': '${LOUD}' } }, 'models.p.provider'],
    ['a new group', { set: { 'models.q': { provider: '${HOST}' } } }, 'models.q.provider'],
    ['another place than the one that has it', { set: { 'server.external_url': 'https://${HOST}' } }, 'server.external_url'],
    ['a list', { set: { 'plugins.sources': ['${LOUD}'] } }, 'plugins.sources[0]'],
    ['the settings of a plugin', { set: { 'plugins.settings.tool-keys.label': '${KEY}' } }, 'plugins.settings.tool-keys.label'],
    ['settings that nothing is known of', { set: { 'plugins.settings.other': { api_key: '${KEY}' } } }, 'plugins.settings.other.api_key'],
    ['a key that is not known', { set: { 'providers.groq.api_kye': '${KEY}' } }, 'providers.groq.api_kye'],
    [
      'a place in a list that another place there had',
      { set: { 'plugins.settings.tool-keys.hosts': [{ name: '${TOKEN}' }] } },
      'plugins.settings.tool-keys.hosts[0].name',
    ],
    ['the variable of a setting', { set: { 'providers.groq.api_key': '${SERVICE_DATABASE_URL}' } }, 'providers.groq.api_key'],
    ['the same in small letters', { set: { 'providers.groq.api_key': '${service_mail_password}' } }, 'providers.groq.api_key'],
    ['the encryption secret', { set: { 'providers.groq.api_key': '${MASTER}' } }, 'providers.groq.api_key'],
    [
      'the secret once the field names another',
      { set: { 'auth.encryption_secret': '${NEW}', 'providers.groq.api_key': '${MASTER_OF_THE_RUNNING_SERVICE}' } },
      'providers.groq.api_key',
    ],
    ['literal text with the encryption secret', { set: { 'models.p.extra_params.b': '${MASTER}' } }, 'models.p.extra_params.b'],
  ]
  for (const [what, patch, path] of refused) {
    it(`are refused for ${what}, with the path; nothing is written, resolved or told`, async () => {
      const problems = await refusal(desk.save(patch))
      expect(problems.map((problem) => problem.split(':')[0])).to.deep.equal([path])
      expect(await desk.text()).to.equal(yaml)
      const checked = await desk.editor.check(patch)
      expect(checked.problems.map((problem) => problem.path)).to.deep.equal([path])
      expect(JSON.stringify([problems, checked])).to.not.contain('canary')
    })
  }

  const taken: readonly (readonly [what: string, patch: ConfigurationPatch])[] = [
    ['a secret field', { set: { 'providers.groq.api_key': '${KEY}' } }],
    ['a secret field in an object', { set: { 'providers.groq': { api_key: 'a${KEY}b' } } }],
    ['a secret setting of a plugin', { set: { 'plugins.settings.tool-keys.key': '${KEY}' } }],
    ['a secret in a list', { set: { 'plugins.settings.tool-keys.hosts': [{ token: '${KEY}' }] } }],
    ['the encryption secret', { set: { 'auth.encryption_secret': '${NEW_MASTER}' } }],
  ]
  for (const [what, patch] of taken) {
    it(`are taken in ${what}`, async () => {
      const plugins = [...modelPlugins, settings]
      const { editor, save } = await openDesk({
        yaml,
        plugins,
        environment: { ...environment, NEW_MASTER: 'x' },
        newReferences: { isReserved: () => false },
      })
      expect((await editor.check(patch)).problems).to.deep.equal([])
      expect(await save(patch)).to.include({ changed: true })
    })
  }

  it('that are in the file already may stay where they are, in other text too', async () => {
    await desk.save({
      set: { 'server.base_url': 'https://b.${HOST}', 'plugins.settings.tool-keys.hosts': [{ name: '${NAME}', token: '${TOKEN}' }] },
    })
    expect(await desk.text()).to.contain('https://b.${HOST}')
  })

  it('are literal inside extra_params', async () => {
    await desk.save({ set: { 'models.p.extra_params.b': '${LOUD}' } })
    expect((await desk.load()).configurationOf(modelPlugins[0]?.manifest ?? settings.manifest)).to.have.nested.property(
      'models.p.extra_params.b',
      '${LOUD}',
    )
  })

  it('leave the other problems of a change to be told', async () => {
    const { problems } = await desk.editor.check({ set: { 'server.base_url': '${LOUD}', 'server.port': 'x' } })
    expect(problems.map(({ path }) => path)).to.have.members(['server.base_url', 'server.port'])
  })

  it('are the operator’s to write anywhere', async () => {
    const own = await openDesk({ yaml: '', environment: { LOUD: 'https://a.example' } })
    await own.save({ set: { 'server.base_url': '${LOUD}' } })
    expect((await own.load()).server.base_url).to.equal('https://a.example')
  })
})
