import { Type } from '@agent-service/sdk'
import { thirdPartyLines } from '@agent-service/sdk/host'
import { expect } from 'chai'
import { refuseClaimedNames } from './claimed-names.js'
import type { DiscoveredPlugin, ValidPlugin } from './discovered-plugin.js'

const schema = Type.Object({})

const pluginOf = (
  id: string,
  builtIn: boolean,
  names: { readonly events?: readonly string[]; readonly subsystems?: readonly string[]; readonly renamedFrom?: readonly string[] },
): ValidPlugin => ({
  status: 'valid',
  ...{ id, builtIn, version: '1.0.0', source: builtIn ? 'built-in' : `/plugins/${id}`, root: `/plugins/${id}`, folder: `/plugins/${id}` },
  manifest: {
    ...{ id, apiVersion: 1, version: '1.0.0', entry: './index.js' },
    events: Object.fromEntries((names.events ?? []).map((name) => [name, { description: 'Something happened.', schema }])),
    storage: { subsystems: names.subsystems ?? [] },
    ...(names.renamedFrom && { renamedFrom: names.renamedFrom }),
  },
})

const reasonsOf = (...plugins: readonly DiscoveredPlugin[]): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    plugins.map((plugin) => {
      const found = refuseClaimedNames(plugin, plugins)
      return [plugin.id, found.status === 'invalid' ? found.reason : undefined]
    }),
  )

describe('names that manifests claim', () => {
  it('are plain for built-ins, and carry the id of a third party', () => {
    expect(
      reasonsOf(
        pluginOf('feature-agents', true, { events: ['run.started'], subsystems: ['files'] }),
        pluginOf('dice', false, { events: ['dice.rolled'], subsystems: ['dice', 'dice.cups'] }),
      ),
    ).to.deep.equal({ 'feature-agents': undefined, dice: undefined })
    const foreign = thirdPartyLines(pluginOf('cups', false, { events: ['dice.rolled', 'mug.filled'], subsystems: ['vault'] }).manifest)
    expect(foreign).to.have.length(3)
    expect(foreign[0]).to.match(/“dice.rolled”.*begin with “cups\.”/)
    expect(foreign[2]).to.match(/“vault”.*be “cups”, or begin with “cups\.”/)
  })

  it('may carry an id that the plugin had before if they are folders; who has them is decided at the start', () => {
    const earlier = { subsystems: ['garden'], renamedFrom: ['garden'] }
    const { orchard, park, garden } = reasonsOf(
      pluginOf('orchard', false, earlier),
      pluginOf('park', false, earlier),
      pluginOf('garden', false, { subsystems: ['garden'] }),
    )
    expect([orchard, park, garden]).to.deep.equal([undefined, undefined, undefined])
    const linesOf = (names: Parameters<typeof pluginOf>[2]) => thirdPartyLines(pluginOf('meadow', false, names).manifest)
    expect(linesOf({ subsystems: ['garden', 'garden.beds'], renamedFrom: ['garden'] })).to.deep.equal([])
    const [dug] = linesOf({ events: ['garden.dug'], renamedFrom: ['garden'] })
    expect(dug).to.match(/“garden.dug”.*begin with “meadow\.”/)
    const [reserved] = linesOf({ renamedFrom: ['garden', 'agents'] })
    expect(reserved).to.match(/“renamedFrom” lists “agents”, which is kept for a built-in plugin/)
  })

  it('have one owner: both built-ins fail, each naming the other', () => {
    const reasons = reasonsOf(pluginOf('feature-one', true, { events: ['a.b'] }), pluginOf('feature-two', true, { events: ['a.b'] }))
    for (const reason of Object.values(reasons))
      expect(reason).to.match(/type of event “a.b” is declared by “feature-one” and “feature-two”/)
  })

  it('belong to the built-in if a third party claims the same', () => {
    const reasons = reasonsOf(
      pluginOf('feature-agents', true, { subsystems: ['files'] }),
      pluginOf('files', false, { subsystems: ['files'] }),
    )
    expect(reasons['feature-agents']).to.equal(undefined)
    expect(reasons['files']).to.match(/storage subsystem “files” is declared by “feature-agents” and “files”/)
  })
})
