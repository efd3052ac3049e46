import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { load, modelPlugins, plugin, refusalOf } from '../testing/configuration-fixture.js'

describe('configuration: settings that protocols add', () => {
  it('are accepted with their protocol, by any of its names, also in lists', async () => {
    const yaml =
      'models:\n  p: { provider: a, api: completions, seed: 1, fallbacks: [{ provider: b, api: messages, top_k: 2 }] }\n  q: { provider: a, api: chat_completions, stop: [x] }\n'
    const { configurationOf } = await load({ yaml })
    const [owner] = modelPlugins
    expect(owner && configurationOf(owner.manifest)).to.have.nested.property('models.p.fallbacks[0].top_k', 2)
  })

  it('are refused with another protocol, naming it and what it supports', async () => {
    const yaml = 'models:\n  p: { provider: a, api: chat_completions, top_k: 1, fallbacks: [{ provider: b, api: messages, seed: 2 }] }\n'
    expect(await refusalOf({ yaml })).to.deep.equal([
      'models.p.top_k: is not supported with api “completions”, which supports seed, stop (2:44)',
      'models.p.fallbacks[0].seed: is not supported with api “messages”, which supports top_k (2:96)',
    ])
  })

  it('are checked by the schema of their protocol', async () => {
    expect(await refusalOf({ yaml: 'models: { p: { provider: a, api: messages, top_k: 0 } }' })).to.have.length(1)
    expect(await refusalOf({ yaml: 'models: { p: { provider: a, api: completions, seed: x } }' })).to.have.length(1)
  })

  it('of any protocol are accepted while no protocol is named, or one that no plugin extends; unknown ones never', async () => {
    await load({ yaml: 'models: { p: { provider: a, seed: 1, top_k: 1 }, q: { provider: a, api: later, seed: 1 } }' })
    const problems = await refusalOf({ yaml: 'models: { p: { provider: a, sede: 1 }, q: { provider: a, api: later, top_q: 1 } }' })
    expect(problems[0]).to.match(/models.p.sede: is not known here; did you mean “seed”\?/)
    expect(problems[1]).to.match(/models.q.top_q: is not known here; did you mean “top_k”\?/)
  })

  it('can be set in the environment', async () => {
    const yaml = 'models: { p: { provider: a, api: completions } }'
    const { configurationOf } = await load({ yaml, environment: { SERVICE_MODELS__P__SEED: '5', SERVICE_MODELS__P__STOP: '["x"]' } })
    const [owner] = modelPlugins
    expect(owner && configurationOf(owner.manifest))
      .to.have.nested.property('models.p')
      .that.includes({ seed: 5 })
  })

  it('warn if no plugin opens their place', async () => {
    const stray = plugin({ id: 'stray', extends: [{ section: 'models', place: 'nowhere', variant: 'x', schema: Type.Object({}) }] })
    expect((await load({ plugins: [...modelPlugins, stray] })).warnings.join('\n')).to.match(
      /“stray” extends the place “nowhere” of section “models”/,
    )
  })

  it('are refused if two plugins disagree about one', async () => {
    const schema = Type.Object({ seed: Type.Optional(Type.String()) })
    const other = plugin({ id: 'provider-two', extends: [{ section: 'models', place: 'settings', variant: 'completions', schema }] })
    expect((await refusalOf({ plugins: [...modelPlugins, other] })).join()).to.match(/plugin “provider-two” adds “seed” for “completions”/)
  })
})

describe('configuration: choices that plugins add', () => {
  const garden = plugin({
    id: 'feature-garden',
    sections: {
      garden: Type.Object(
        {
          kind: Type.Union([Type.Literal('lawn'), Type.Literal('herbs')], { default: 'lawn', 'x-set-up': true }),
          shade: Type.Optional(Type.Union([Type.Literal('oak'), Type.Literal('lime')])),
        },
        { 'x-extension-place': 'kind', 'x-variant-member': 'kind' },
      ),
    },
  })
  const rocks = plugin({
    id: 'garden-rocks',
    extends: [{ section: 'garden', place: 'kind', variant: 'rocks', schema: Type.Object({ tons: Type.Optional(Type.Integer()) }) }],
  })
  const plugins = [garden, rocks]

  it('are accepted with their own settings, and suggested as near names', async () => {
    const { configurationOf } = await load({ plugins, yaml: 'garden: { kind: rocks, tons: 2 }' })
    expect(configurationOf(garden.manifest)).to.deep.equal({ garden: { kind: 'rocks', tons: 2 } })
    await load({ plugins, environment: { SERVICE_GARDEN_KIND: 'rocks', SERVICE_GARDEN_TONS: '2' } })
    await load({ plugins, yaml: 'garden: { tons: 2 }', environment: { SERVICE_GARDEN_KIND: 'rocks' } })
    expect(await refusalOf({ plugins, yaml: 'garden: { kind: rcoks }' })).to.deep.equal([
      'garden.kind: must be one of “lawn”, “herbs”, “rocks” (did you mean “rocks”?), found text “rcoks” (1:17)',
    ])
  })

  it('are refused without the plugin, and their settings with another choice', async () => {
    expect((await refusalOf({ plugins: [garden], yaml: 'garden: { kind: rocks }' })).join()).to.match(/garden.kind: must be one of/)
    expect(await refusalOf({ plugins, yaml: 'garden: { tons: 2 }' })).to.deep.equal([
      'garden.tons: is not supported with kind “lawn”, which supports no settings of its own (1:17)',
    ])
  })

  it('are open until one is chosen, if they are marked for set-up', async () => {
    expect((await load({ plugins })).openChoices).to.deep.equal(['garden.kind'])
    expect((await load({ plugins, yaml: 'garden: { shade: oak }' })).openChoices).to.deep.equal(['garden.kind'])
    expect((await load({ plugins, yaml: 'garden: { kind: lawn }' })).openChoices).to.deep.equal([])
    expect((await load({ plugins, environment: { SERVICE_GARDEN_KIND: 'lawn' } })).openChoices).to.deep.equal([])
  })
})

describe('configuration: sections of plugins', () => {
  it('are strict also while their plugin is disabled', async () => {
    expect(await refusalOf({ yaml: 'plugins: { disabled: [feature-models] }\nproviders: { work: { nope: 1 } }\n' })).to.have.length(1)
  })

  it('belong to one owner', async () => {
    const section = Type.Object({})
    const plugins = [
      plugin({ id: 'one', sections: { shared: section } }),
      plugin({ id: 'two', sections: { shared: section, server: section } }),
    ]
    const problems = await refusalOf({ plugins })
    expect(problems.join('\n')).to.match(/shared: the section belongs to plugin “one”, but plugin “two” claims it too/)
    expect(problems.join('\n')).to.match(/server: the section belongs to the kernel, but plugin “two” claims it too/)
  })

  it('require required settings, unless the plugin is disabled and has none', async () => {
    const needy = plugin({ id: 'needy', config: Type.Object({ address: Type.String() }) })
    expect(await refusalOf({ plugins: [needy] })).to.deep.equal(['plugins.settings.needy.address: is required and has no default'])
    await load({ plugins: [needy], yaml: 'plugins: { disabled: [needy] }' })
    expect(
      await refusalOf({ plugins: [needy], yaml: 'plugins: { disabled: [needy], settings: { needy: { address: 1 } } }' }),
    ).to.have.length(1)
  })
})
