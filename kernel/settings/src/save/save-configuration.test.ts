import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelPlugins, plugin, temporaryFolder } from '@agent-service/kernel-core/config/testing'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { failureOf, openDesk, refusal, saved } from './fixture.test.js'

describe('saving the configuration: what is written', () => {
  it('is what was changed and nothing else, the rest byte for byte', async () => {
    const yaml =
      '# mine\r\nserver:   # s\r\n    port:   3999 # p\r\n    host: "::1"\r\n\r\nproviders: { work: { api_key: "${WORK_KEY}" } }\r\n'
    expect(await saved(yaml, { set: { 'server.port': 4000, 'cache.entity_ttl_secs': 5 }, reset: ['server.host'] })).to.equal(
      '# mine\r\nserver:   # s\r\n    port:   4000 # p\r\n\r\nproviders: { work: { api_key: "${WORK_KEY}" } }\r\ncache:\r\n    entity_ttl_secs: 5\r\n',
    )
  })

  it('is no default: a set to it acts as a reset, and lines that are not touched stay although they are one', async () => {
    const yaml = 'server:\n  port: 4000\n  log_level: info\n'
    expect(await saved(yaml, { set: { 'server.port': 3001 } })).to.equal('server:\n  log_level: info\n')
    expect(await saved(yaml, { set: { 'server.log_level': 'info' } })).to.equal('server:\n  port: 4000\n')
    expect(await saved(yaml, { set: { 'cache.entity_ttl_secs': 300 } })).to.equal(yaml)
    expect(await saved('plugins: { sources: [/x] }', { set: { 'plugins.sources': [] } })).to.equal('')
  })

  it('is no default that depends on the place of the data, however the path is written', async () => {
    const desk = await openDesk({ yaml: 'storage: { skills_dir: /elsewhere, cache_dir: /x }\n' })
    await desk.save({ set: { 'storage.skills_dir': `${desk.folder}/data/skills`, 'storage.cache_dir': 'data/../data/system/cache' } })
    expect(await desk.text()).to.equal('')
    await desk.save({ set: { 'storage.skills_dir': 'data' } })
    expect(await desk.text()).to.equal('storage:\n  skills_dir: data\n')
  })

  it('is never compared with what a variable sets', async () => {
    const desk = await openDesk({ environment: { SERVICE_SERVER_PORT: '5000', PORT: '3001' } })
    const { locked } = await desk.save({ set: { 'server.port': 5000 } })
    expect(await desk.text()).to.equal('server:\n  port: 5000\n')
    expect(locked).to.deep.equal([{ path: 'server.port', variable: 'SERVICE_SERVER_PORT' }])
    await desk.save({ set: { 'server.port': '${PORT}' } })
    expect(await desk.text()).to.equal('server:\n  port: ${PORT}\n')
  })

  it('is no default that the catalogue gives', async () => {
    const folder = await temporaryFolder()
    await writeFile(
      join(folder, 'rules.js'),
      `export const rules = [({ providers }) => Object.keys(providers).map((name) =>
        ({ path: 'providers.' + name + '.base_url', message: 'that of the brand', catalogueDefault: { value: 'https://brand.example/v1' } }))]`,
    )
    const plugins = [...modelPlugins, plugin({ id: 'with-rules', rules: 'rules.js' }, folder)]
    const set = { 'providers.work.base_url': 'https://brand.example/v1', 'providers.other.base_url': 'https://brand.example/v2' }
    expect(await saved('providers:\n  work:\n    base_url: https://mine.example\n', { set }, plugins)).to.equal(
      'providers:\n  work: {}\n  other:\n    base_url: https://brand.example/v2\n',
    )
  })

  it('is an object by its leaves, those that are gone removed, and a list whole', async () => {
    const yaml =
      'models:\n  primary:\n    provider: work # stays\n    temperature: 1\n    retry:\n      max_retries: 3\n      backoff_multiplier: 4\n    fallbacks:\n      # the first\n      - provider: one\n'
    const group = {
      provider: 'work',
      retry: { max_retries: 3, backoff_multiplier: 5 },
      fallbacks: [{ provider: 'two' }, { provider: 'one' }],
    }
    expect(await saved(yaml, { set: { 'models.primary': group } })).to.equal(
      'models:\n  primary:\n    provider: work # stays\n    retry:\n      max_retries: 3\n      backoff_multiplier: 5\n    fallbacks:\n      # the first\n      - provider: two\n      - provider: one\n',
    )
  })

  it('loses sections and objects that a reset leaves empty, but no entry of a map', async () => {
    const yaml =
      'server: { port: 1 }\nproviders:\n  work:\n    enabled: false\nmodels: { p: { provider: x, retry: { max_retries: 3 } } }\nplugins: { settings: { tool-dice: { sides: 8 } } }\n'
    const reset = ['server.port', 'providers.work.enabled', 'models.p.retry.max_retries', 'plugins.settings.tool-dice.sides']
    expect(await saved(yaml, { reset })).to.equal(
      'providers:\n  work: {}\nmodels: { p: { provider: x } }\nplugins: { settings: { tool-dice: {} } }\n',
    )
    expect(await saved(yaml, { reset: ['providers.work', 'models', 'plugins.settings.tool-dice', 'server'] })).to.equal('')
    expect(await saved(undefined, { set: { 'providers.ollama': {} } })).to.equal('providers:\n  ollama: {}\n')
    expect(await saved('providers: { work: { enabled: false } }\n', { set: { 'providers.work': { enabled: true } } })).to.equal(
      'providers: { work: {} }\n',
    )
  })

  it('keeps nulls and anything else inside extra_params, by leaf', async () => {
    const yaml = 'models:\n  p:\n    provider: x\n    extra_params: { a: { b: 1, c: "${X}" }, d: null }\n'
    expect(
      await saved(yaml, {
        set: { 'models.p.extra_params.a.b': null, 'models.p.extra_params.e': { f: [null] } },
        reset: ['models.p.extra_params.d'],
      }),
    ).to.equal('models:\n  p:\n    provider: x\n    extra_params: { a: { b: null, c: "${X}" }, e: { f: [ null ] } }\n')
    // An object is a value there too, also without members.
    expect(
      await saved('models:\n  p:\n    provider: x\n    extra_params: { a: { b: { c: 1 } }, d: 2 }\n', {
        reset: ['models.p.extra_params.a.b.c'],
      }),
    ).to.equal('models:\n  p:\n    provider: x\n    extra_params: { a: { b: {} }, d: 2 }\n')
    expect(
      await refusal(saved(yaml, { set: { 'server.port': null, 'models.p': { provider: 'x', retry: null }, 'plugins.sources': [null] } })),
    ).to.deep.equal([
      'server.port: cannot be set to null, which is only a value inside extra_params; reset it instead',
      'models.p.retry: cannot be set to null, which is only a value inside extra_params; reset it instead',
      'plugins.sources[0]: cannot be set to null, which is only a value inside extra_params; reset it instead',
    ])
  })

  it('takes keys with dots and quotes in double quotes', async () => {
    const odd = plugin({ id: 'odd', sections: { odd: Type.Object({ map: Type.Record(Type.String(), Type.String(), { default: {} }) }) } })
    const text = await saved('odd: { map: { a.b: "1" } }\n', { set: { 'odd.map."x \\"y\\".z"': 'v' }, reset: ['odd.map."a.b"'] }, [odd])
    expect(text).to.equal('odd: { map: { x "y".z: v } }\n')
  })

  it('may be a secret, which no problem shows', async () => {
    expect(await saved('auth: { encryption_secret: old }\n', { set: { 'auth.encryption_secret': 'new # one' } })).to.equal(
      'auth: { encryption_secret: "new # one" }\n',
    )
    const problems = await refusal(saved('', { set: { 'auth.encryption_secret': ['canary'], 'providers.work.api_key': 4711 } }))
    expect(problems).to.have.length(2)
    expect(problems.join()).to.not.match(/canary|4711/)
  })
})

describe('saving the configuration: what is locked', () => {
  it('is what a variable sets, around the path, at it or in it', async () => {
    const desk = await openDesk({
      environment: {
        SERVICE_PROVIDERS: '{"work": {"enabled": false}}',
        SERVICE_SERVER_PORT: '5000',
        SERVICE_MODELS__P__RETRY__MAX_RETRIES: '3',
        SERVICE_CACHE_ENTITY_TTL_SECS: '1',
      },
    })
    const group = { provider: 'x', retry: { max_retries: 4 } }
    const set = { 'providers.work.enabled': false, server: { port: 1, host: '::1' }, 'models.p': group, 'cache.entity_max_capacity': 2 }
    expect((await desk.save({ set, reset: ['scheduler'] })).locked).to.deep.equal([
      { path: 'models.p.retry.max_retries', variable: 'SERVICE_MODELS__P__RETRY__MAX_RETRIES' },
      { path: 'providers.work.enabled', variable: 'SERVICE_PROVIDERS' },
      { path: 'server.port', variable: 'SERVICE_SERVER_PORT' },
    ])
    expect((await desk.load()).server.port).to.equal(5000)
    const { locked } = await desk.save({ set: { server: { host: '::1' } }, reset: ['models.p.retry.max_retries'] })
    expect(locked.map(({ path }) => path)).to.deep.equal(['models.p.retry.max_retries', 'server.port'])
    expect(await desk.text()).to.equal(
      'providers:\n  work:\n    enabled: false\nserver:\n  host: ::1\nmodels:\n  p:\n    provider: x\ncache:\n  entity_max_capacity: 2\n',
    )
  })
})

describe('saving the configuration: what is refused', () => {
  it('is everything that the next start would refuse, each with its path, and the file stays', async () => {
    const yaml = 'server:\n  log_level: info\nmodels:\n  p: { provider: x }\n'
    const desk = await openDesk({ yaml })
    const set = {
      'server.port': 'many',
      'server.prot': 1,
      'models.p.api': 'messages',
      'models.p.seed': 1,
      'models.q': {},
      'srever.port': 2,
    }
    expect((await refusal(desk.save({ set }))).toSorted()).to.deep.equal([
      'models.p.seed: is not supported with api “messages”, which supports top_k',
      'models.q.provider: is required and has no default',
      'server.port: must be a whole number, found text “many”',
      'server.prot: is not known here; did you mean “port”?',
      'srever: is not known here; did you mean “server”?',
    ])
    expect(await desk.text()).to.equal(yaml)
  })

  it('is a file that has something else wrong, told with its place in the file as it is', async () => {
    const desk = await openDesk({ yaml: 'cache:\n  entity_ttl_secs: x\nserver:\n  prot: 1\n' })
    expect(await refusal(desk.save({ set: { 'server.port': 1 } }))).to.deep.equal([
      'cache.entity_ttl_secs: must be a whole number, found text “x” (2:20)',
      'server.prot: is not known here; did you mean “port”? (4:3)',
    ])
    await desk.save({ set: { 'cache.entity_ttl_secs': 3 }, reset: ['server.prot'] })
    expect(await desk.text()).to.equal('cache:\n  entity_ttl_secs: 3\n')
  })

  it('is what the environment makes wrong, and what rules find over several sections', async () => {
    const desk = await openDesk({ environment: { SERVICE_CACHE_ENTITY_TTL_SECS: 'x' } })
    expect(await refusal(desk.save({ set: { 'plugins.required': ['x'], 'plugins.disabled': ['x'] } }))).to.deep.equal([
      'cache.entity_ttl_secs: must be a whole number; the text in SERVICE_CACHE_ENTITY_TTL_SECS is not',
      'plugins.required: “x” is both required and disabled; remove it from one of the lists',
    ])
  })

  it('is a choice that is to come, with the reason, in a save and in a check', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n' })
    const patch = { set: { 'database.driver': 'postgres' } }
    const reason = /^“postgres” is not supported in this version: no plugin connects to a database server yet/
    expect((await refusal(desk.save(patch))).join()).to.match(/^database\.driver: “postgres” is not supported/)
    const { problems } = await desk.editor.check(patch)
    expect(problems.map(({ path }) => path)).to.deep.equal(['database.driver'])
    expect(problems[0]?.message).to.match(reason)
    const { problems: inEnvironment } = await (await openDesk({ environment: { SERVICE_DATABASE_DRIVER: 'postgres' } })).editor.check()
    expect(inEnvironment[0]?.message).to.match(reason).and.to.contain('(SERVICE_DATABASE_DRIVER)')
  })

  it('is more than 1,000 values at once, which nothing is looked at of', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 4000 }\n' })
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`unknown_${index}`, 1]))
    const problem = [': changes more than 1000 values at once; split the change']
    expect(await refusal(desk.save({ set: many }))).to.deep.equal(problem)
    expect(await refusal(desk.save({ set: { server: many } }))).to.deep.equal(problem)
    expect(await refusal(desk.save({ reset: Object.keys(many) }))).to.deep.equal(problem)
  })

  it('is a path that is none, leads into a list, is named twice or is not known', async () => {
    const desk = await openDesk({ yaml: 'plugins: { sources: [/a] }\n' })
    const set = { 'server..port': 1, 'plugins.sources[0]': '/b', '': 1, 'server.port': 1, 'server."port"': 2, cache: {}, 'a.__proto__': 1 }
    expect(await refusal(desk.save({ set, reset: ['cache.entity_ttl_secs', 'scheduler.pol_secs', 'nothing'] }))).to.deep.equal([
      'server..port: is not a path; write it with dots, and a key with a dot or a quote in double quotes',
      'plugins.sources[0]: leads into a list, whose items have no path; set the whole list “plugins.sources”',
      ': is not a path; write it with dots, and a key with a dot or a quote in double quotes',
      'a.__proto__: has a key that cannot be used',
      'cache.entity_ttl_secs: is inside “cache”, which the change also names; name only one of them',
      'server.port: is changed twice',
      'scheduler.pol_secs: is not known here; did you mean “poll_secs”?',
      'nothing: is not known here; known: server, auth, database, storage, cache, scheduler, plugins, providers, models',
    ])
  })

  it('is a path that the text does not let be changed by itself, with its line', async () => {
    const yaml = 'models:\n  p: &p\n    provider: x\n  q: *p\n  r: !!map { provider: x }\n'
    const desk = await openDesk({ yaml })
    for (const [path, message] of [
      ['models.q.temperature', /alias .*\(4:6\)/],
      ['models.p.temperature', /used in other places .*\(3:5\)/],
      ['models.r.temperature', /tag .*\(5:12\)/],
    ] as const) {
      expect((await refusal(desk.save({ set: { [path]: 1 } }))).join(), path).to.match(message)
      expect(await desk.text()).to.equal(yaml)
    }
  })

  it('is a file that would be too large', async () => {
    const desk = await openDesk({ yaml: `#${'x'.repeat(1024 * 1024 - 30)}\n` })
    expect((await refusal(desk.save({ set: { 'server.base_url': 'https://example.com' } }))).join()).to.match(/would have \d+ bytes/)
  })

  it('is a save against another revision, whoever changed the file, and nothing else is looked at', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n' })
    const { revision } = await desk.editor.read()
    const first = await desk.editor.save({ set: { 'server.port': 2 } }, revision)
    expect(first).to.deep.equal({ revision: (await desk.editor.read()).revision, changed: true, locked: [] })
    expect(await failureOf(desk.editor.save({ set: { 'server.port': 'nonsense' } }, revision))).to.include({
      code: 'stale_config',
      status: 412,
    })
    expect(await desk.editor.save({ set: { 'server.port': 2 } }, first.revision)).to.deep.equal({ ...first, changed: false })
  })
})

describe('checking a change', () => {
  it('reports problems, warnings and overlaps, and writes nothing', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n' })
    expect((await desk.editor.check()).problems).to.deep.equal([])
    const { problems, warnings } = await desk.editor.check({ set: { 'server.port': 'x', 'database.url': 'x' } })
    expect(problems.map(({ path }) => path)).to.deep.equal(['server.port'])
    expect(warnings.join()).to.match(/database.url: has no effect/)
    expect(await desk.text()).to.equal('server: { port: 1 }\n')
    const broken = await openDesk({ yaml: 'server: [' })
    expect((await broken.editor.check({ set: { 'server.port': 1 } })).problems.join()).to.be.a('string')
    expect((await broken.editor.read()).problems[0]?.message).to.match(/not valid YAML/)
  })

  it('looks for plugins where the change puts them', async () => {
    const desk = await openDesk({ plugins: modelPlugins })
    expect((await desk.editor.check({ set: { 'plugins.settings.tool-dice.sides': 1 } })).problems).to.have.length(1)
  })
})
