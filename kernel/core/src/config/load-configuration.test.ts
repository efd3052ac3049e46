import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { loadConfiguration } from './load-configuration.js'
import { configurationInvalidError } from './schema/problem.js'
import { type Loading, load, modelPlugins, plugin, problemsOf, refusalOf, temporaryFolder } from './testing/configuration-fixture.js'

describe('configuration: precedence and sources', () => {
  it('prefers the environment to the file and the file to the default', async () => {
    const { server, sourceOf } = await load({ yaml: 'server: { port: 1, log_level: warn }', environment: { SERVICE_SERVER_PORT: '2' } })
    expect(server).to.include({ port: 2, log_level: 'warn', host: '127.0.0.1' })
    const sources = ['server.port', 'server.log_level', 'server.host', 'server', 'cache', 'server.nonsense', '"'].map(sourceOf)
    expect(sources).to.deep.equal(['environment', 'file', 'default', 'environment', 'default', 'default', 'default'])
  })

  it('refuses a bad value in the file also if the environment overrides it', async () => {
    const problems = await refusalOf({ yaml: 'server: { port: many }', environment: { SERVICE_SERVER_PORT: '2' } })
    expect(problems).to.deep.equal(['server.port: must be a whole number, found text “many” (1:17)'])
  })

  it('reports all problems at once, in the file and the environment, in every section, with their places', async () => {
    const problems = await refusalOf({
      yaml: 'server:\n  prot: 1\n  port: "80"\n  base_url: ftp://x\nmodels:\n  p: { provider: 1, retry: { max_retries: -1 } }\n  Q: {}\n  r: {}\nplugins:\n  settings: { tool-dice: { sides: 1, sdies: 2 } }\nunknown: 1\nserver2:\n  a: b\n',
      environment: { SERVICE_CACHE_ENTITY_TTL_SECS: '-1', SERVICE_AUTH_NONSENSE: '1' },
    })
    expect([...problems].sort()).to.deep.equal(
      [
        'server.prot: is not known here; did you mean “port”? (2:3)',
        'server.port: must be a whole number, found text “80” (3:9)',
        'server.base_url: must be an absolute http:// or https:// URL (4:13)',
        'models.p.provider: must be a string (put it in quotes), found the number 1 (6:18)',
        'models.p.retry.max_retries: must be at least 0, found the number -1 (6:43)',
        'models.Q: is not an allowed name here; names match ^[a-z][a-z0-9_-]*$ (7:3)',
        'models.r.provider: is required and has no default (8:3)',
        'plugins.settings.tool-dice.sides: must be at least 2, found the number 1 (10:35)',
        'plugins.settings.tool-dice.sdies: is not known here; did you mean “sides”? (10:38)',
        'unknown: is not known here; known: server, auth, database, storage, cache, scheduler, plugins, providers, models (11:1)',
        'server2: is not known here; did you mean “server”? (12:1)',
        'cache.entity_ttl_secs: must be at least 0 seconds, found a number (SERVICE_CACHE_ENTITY_TTL_SECS)',
        'auth: SERVICE_AUTH_NONSENSE does not name a field',
      ].sort(),
    )
  })

  it('throws an error with code, exit status and every problem in the message', async () => {
    const error: unknown = await load({ yaml: 'a: 1\nb: 2\n' }).catch((thrown: unknown) => thrown)
    expect(configurationInvalidError.isInstance(error)).to.equal(true)
    expect(String(error)).to.match(/has 2 problems \(file: .*config\.yaml\):\n {2}a: is not known here.* \(1:1\)\n {2}b: .*\(2:1\)$/)
  })

  it('names the two variables that replace server.data_dir in the file', async () => {
    const problems = await refusalOf({ yaml: 'server:\n  data_dir: /x\n' })
    expect(problems).to.have.length(1)
    expect(problems[0]).to.match(/^server.data_dir: .*SERVICE_SERVER_DATA_DIR.*SERVICE_CONFIG.*\(2:3\)$/)
  })

  it('never shows an invalid secret', async () => {
    const problems = await refusalOf({
      yaml: 'auth: { encryption_secret: [canary] }\nproviders: { w: { api_key: 47110815 }, x: { api_key: { a: canary } } }\ndatabase: { url: 47110815 }\n',
    })
    expect(problems).to.have.length(4)
    expect(problems.join('\n')).to.not.match(/canary|4711/)
  })

  it('returns frozen values, and each plugin’s own', async () => {
    const plugins = [...modelPlugins, plugin({ id: 'no-settings' })]
    const configuration = await load({ yaml: 'plugins: { settings: { tool-dice: { label: a } } }', plugins })
    const given = plugins.map(({ manifest }) => configuration.configurationOf(manifest))
    expect(given).to.deep.equal([{ providers: {}, models: {} }, {}, { label: 'a', sides: 6 }, {}])
    expect(Object.isFrozen(given[2])).to.equal(true)
    expect(Object.isFrozen(configuration.server)).to.equal(true)
    expect((await refusalOf({ yaml: 'plugins: { settings: { no-settings: { a: 1 } } }', plugins })).join()).to.match(
      /no-settings.a: is not known/,
    )
  })
})

describe('configuration: draft', () => {
  it('replaces an invalid value by its default, so that discovery goes on, and refuses it when completed', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'config.yaml'), 'server: { port: x, host: "::1" }\nplugins: { sources: [a-plugin] }\nanything: 1\n')
    const draft = await loadConfiguration({
      environment: { SERVICE_SERVER_DATA_DIR: folder },
      workingDirectory: '/',
      installedResources: '/r',
    })
    expect(draft.kernel.server).to.include({ port: 3001, host: '::1' })
    expect(draft.kernel.plugins.sources).to.deep.equal(['a-plugin'])
    expect(draft.file).to.include({ exists: true, path: join(folder, 'config.yaml') })
    expect((await problemsOf(() => draft.complete([]))).map(({ path }) => path)).to.deep.equal(['server.port', 'anything'])
  })
})

describe('configuration: paths', () => {
  it('become absolute, relative ones from the working directory, defaults from SERVICE_SERVER_DATA_DIR', async () => {
    const { storage, database, server, serverDataDir, folder } = await load({
      yaml: 'storage: { data_dir: elsewhere, cache_dir: /var/cache/x/../y }\nserver: { static_dir: web }\n',
      installedResources: '/opt/service/resources',
    })
    expect(serverDataDir).to.equal(join(folder, 'data'))
    expect(storage).to.deep.equal({
      data_dir: join(folder, 'elsewhere'),
      cache_dir: '/var/cache/y',
      shared_config_dir: '/opt/service/resources',
      skills_dir: join(folder, 'data', 'skills'),
      ontology_dir: join(folder, 'data', 'ontology'),
    })
    expect(database.path).to.equal(join(folder, 'data', 'db'))
    expect(server.static_dir).to.equal(join(folder, 'web'))
  })

  it('may have defaults that follow other paths, and environment values', async () => {
    const follower = plugin({
      id: 'follower',
      sections: {
        mcp: Type.Object({
          cache_path: Type.String({ 'x-default-path': '{storage.data_dir}/system/mcp-cache' }),
          deeper: Type.String({ 'x-default-path': '{mcp.cache_path}/deeper' }),
        }),
      },
    })
    const { configurationOf, folder } = await load({ environment: { SERVICE_STORAGE_DATA_DIR: 'moved' }, plugins: [follower] })
    expect(configurationOf(follower.manifest)).to.deep.equal({
      mcp: { cache_path: join(folder, 'moved/system/mcp-cache'), deeper: join(folder, 'moved/system/mcp-cache/deeper') },
    })
  })
})

describe('configuration: the installation', () => {
  it('is fresh without a file and a database folder', async () => {
    expect((await load({ yaml: '' })).installation).to.equal('fresh')
    expect((await load({ yaml: 'server: {}\n' })).installation).to.equal('existing')
    const path = await temporaryFolder()
    expect((await load({ yaml: '', environment: { SERVICE_DATABASE_PATH: path } })).installation).to.equal('existing')
    expect((await load({ yaml: '', environment: { SERVICE_DATABASE_PATH: join(path, 'db') } })).installation).to.equal('fresh')
  })
})

describe('configuration: paths of public addresses', () => {
  const warned = async (server: string): Promise<readonly string[]> =>
    (await load({ yaml: `server: ${server}\n` })).warnings.filter((warning) => warning.includes('“Below a path”'))

  it('are warned of where the service would not work below them', async () => {
    for (const [address, reason] of [
      ['https://example.org/api', '“/api”'],
      ['https://example.org/v1/', '“/v1”'],
      ['https://example.org/s/agents', '“/s”'],
      ['https://example.org/p', '“/p”'],
      ['https://example.org/.well-known/agents', '“/.well-known”'],
      ['https://example.org/healthz', '“/healthz”'],
      ['https://example.org/assets', '“/assets”'],
      ['https://example.org/a;b', '“;”'],
      ['https://example.org//agents', '“//”'],
    ] as const)
      for (const field of ['base_url', 'backend_url', 'frontend_url', 'external_url']) {
        const [warning = '', ...others] = await warned(`{ ${field}: "${address}" }`)
        expect([warning.split(':')[0], others.length], address).to.deep.equal([`server.${field}`, 0])
        expect(warning).to.contain(reason).and.contain('http.md')
      }
  })

  it('are no matter elsewhere', async () => {
    for (const path of ['', '/', '/agents', '/apis', '/agents/v1', '/a.b/c%20d/', '/Büro'])
      expect(await warned(`{ base_url: "https://example.org${path}" }`), path).to.deep.equal([])
  })
})

describe('configuration: plain http', () => {
  const secret = 'auth: { encryption_secret: my-own }\n'
  const warned = async (server: string): Promise<readonly string[]> =>
    (await load({ yaml: `${secret}server: ${server}\n` })).warnings.filter((warning) => warning.includes('session cookie'))

  it('is warned of where people would not stay signed in, with the field and where the ways out are', async () => {
    for (const [server, field] of [
      ['{ base_url: "http://192.168.1.20:3001" }', 'server.base_url'],
      ['{ base_url: "http://agents.lan" }', 'server.base_url'],
      ['{ base_url: "http://[fd00::20]:3001" }', 'server.base_url'],
      ['{ base_url: "http://localhost.example" }', 'server.base_url'],
      ['{ base_url: "https://agents.example", frontend_url: "http://agents.lan" }', 'server.frontend_url'],
      ['{ base_url: "https://agents.example", backend_url: "http://agents.lan" }', 'server.backend_url'],
      ['{ host: 0.0.0.0 }', 'server.host'],
      ['{ host: "::", base_url: "http://localhost:3001" }', 'server.host'],
      ['{ host: 192.168.1.20 }', 'server.host'],
      ['{ host: 0.0.0.0, base_url: "http://192.168.1.20:3001" }', 'server.base_url'],
    ] as const) {
      const [warning = '', ...others] = await warned(server)
      expect([warning.split(':')[0], others.length], server).to.deep.equal([field, 0])
      expect(warning).to.contain('operations.md')
    }
  })

  it('is no matter on this machine and behind https', async () => {
    for (const server of [
      '{}',
      '{ host: "::1", base_url: "http://[::1]:3001" }',
      '{ base_url: "http://127.0.0.1:3001", frontend_url: "http://agents.localhost" }',
      '{ host: 0.0.0.0, base_url: "https://agents.example" }',
      '{ host: 0.0.0.0, external_url: "https://agents.example" }',
      '{ base_url: "http://agents.lan", frontend_url: "https://a.example", backend_url: "https://b.example" }',
    ])
      expect(await warned(server), server).to.deep.equal([])
  })
})

describe('configuration: the encryption secret', () => {
  const refused = /auth.encryption_secret: the built-in development secret is refused .*SERVICE_AUTH_ENCRYPTION_SECRET/

  it('warns of the built-in one, on loopback', async () => {
    for (const host of ['127.0.0.1', '::1', 'localhost', '127.8.9.1']) {
      const { warnings, secrets } = await load({ environment: { SERVICE_SERVER_HOST: host } })
      expect(warnings.join('\n')).to.match(/development secret is in use/)
      expect(secrets).to.deep.equal([])
    }
  })

  it('is refused with NODE_ENV=production and beyond loopback', async () => {
    expect((await refusalOf({ environment: { NODE_ENV: 'production' } })).join()).to.match(refused)
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'box.example', '127.0.0.1.example'])
      expect((await refusalOf({ environment: { SERVICE_SERVER_HOST: host } })).join(), host).to.match(refused)
  })

  it('is reported together with other problems', async () => {
    const problems = await refusalOf({ yaml: 'cache: { entity_ttl_secs: x }\n', environment: { NODE_ENV: 'production' } })
    expect(problems).to.have.length(2)
    expect(problems.join('\n')).to.match(refused)
  })

  it('is accepted everywhere if it is the operator’s own, and is among the secrets', async () => {
    const environment = {
      ...{ NODE_ENV: 'production', SERVICE_SERVER_HOST: '0.0.0.0', SERVICE_SERVER_BASE_URL: 'https://agents.example' },
      SERVICE_AUTH_ENCRYPTION_SECRET: 'my-own-secret',
    }
    const { warnings, secrets } = await load({ environment })
    expect(warnings).to.deep.equal([])
    expect(secrets).to.deep.equal(['my-own-secret'])
  })
})

describe('configuration: settings without effect', () => {
  const pigeons = plugin({
    id: 'channel-pigeon',
    stage: 'declared',
    sections: {
      pigeon: Type.Object({
        speed: Type.Integer({ default: 60, minimum: 1 }),
        flock: Type.Object({ size: Type.Integer({ default: 1, 'x-no-effect': 'Pigeons fly alone.' }) }),
        feed: Type.Optional(Type.Unknown({ 'x-removed': 'Set pigeon.speed.' })),
      }),
    },
  })

  it('warns once about a section whose plugin is only declared, if the file or the environment sets one of its fields', async () => {
    const warned = async (loading: Loading): Promise<readonly string[]> =>
      (await load({ ...loading, plugins: [pigeons] })).warnings.filter((warning) => warning.startsWith('pigeon'))
    const text = 'pigeon: has no effect: The code that reads it is not part of this version.'
    expect(await warned({ yaml: 'pigeon:\n  speed: 5\n  flock: { size: 2 }\n' })).to.deep.equal([`${text} (1:1)`])
    expect(await warned({ environment: { SERVICE_PIGEON_SPEED: '5' } })).to.deep.equal([`${text} (SERVICE_PIGEON_SPEED)`])
    for (const yaml of ['', 'pigeon:\n', 'pigeon: {}\n']) expect(await warned({ yaml }), yaml).to.deep.equal([])
  })

  it('checks such a section like any other', async () => {
    const yaml = 'pigeon: { speed: 0, sped: 1, flock: 2, feed: 3 }\n'
    const environment = { SERVICE_PIGEON_FLOCK__SIZE: 'x', SERVICE_PIGEON_SPEDE: '1' }
    expect([...(await refusalOf({ plugins: [pigeons], yaml, environment }))].sort()).to.deep.equal([
      'pigeon.feed: is no longer a field. Set pigeon.speed. (1:40)',
      'pigeon.flock.size: must be a whole number; the text in SERVICE_PIGEON_FLOCK__SIZE is not',
      'pigeon.flock: must be an object, found the number 2 (1:37)',
      'pigeon.sped: is not known here; did you mean “speed”? (1:21)',
      'pigeon.speed: must be at least 1, found the number 0 (1:18)',
      'pigeon: SERVICE_PIGEON_SPEDE does not name a field; did you mean “SERVICE_PIGEON_SPEED”?',
    ])
    const named = await refusalOf({ plugins: [pigeons], environment: { SERVICE_PIGEON_FEED: 'x' } })
    expect(named).to.deep.equal(['pigeon.feed: is no longer a field. Set pigeon.speed. (SERVICE_PIGEON_FEED)'])
  })

  it('warns only about set fields without effect', async () => {
    const { warnings } = await load({
      yaml: 'storage:\n  skills_dir: /srv/skills\nmodels: { p: { provider: a, fallbacks: [{ provider: b }] } }\n',
    })
    const fields = warnings.filter((warning) => warning.includes('has no effect:'))
    expect(fields).to.deep.equal(['models.p.fallbacks: has no effect: fallbacks come later (3:29)'])
  })

  it('warns about settings, required and disabled ids that no source has', async () => {
    const { warnings } = await load({ yaml: 'plugins: { settings: { tool-dcie: { a: 1 } }, required: [tool-dic], disabled: [x-y-z] }\n' })
    expect(warnings.join('\n')).to.match(/plugins.settings.tool-dcie: no source has a plugin with this id.*did you mean “tool-dice”/)
    expect(warnings.join('\n')).to.match(/plugins.required\[0\]: no source has the plugin “tool-dic”; did you mean “tool-dice”\? \(1:/)
    expect(warnings.join('\n')).to.match(/plugins.disabled\[0\]: no source has the plugin “x-y-z”/)
  })
})
