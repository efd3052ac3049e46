import path from 'node:path'
import { expect } from 'chai'
import { defineConsolePanel } from '../contracts/console-panel/define-console-panel.js'
import { consolePanels } from '../contracts/console-panel/point.js'
import { httpRoutes } from '../contracts/http-route/point.js'
import { defineRoute } from '../contracts/http-route/route.js'
import { defineSearchProvider } from '../contracts/search-provider/define-search-provider.js'
import { searchProviders } from '../contracts/search-provider/point.js'
import { defineTool } from '../contracts/tool/define-tool.js'
import { tools } from '../contracts/tool/point.js'
import { defineUserData } from '../contracts/user-data/define-user-data.js'
import { userData } from '../contracts/user-data/point.js'
import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'
import { Type } from '../core/type.js'
import { definePlugin, type Plugin } from '../plugin/define-plugin.js'
import type { PluginContext } from '../plugin/plugin-context.js'
import { clockService } from '../services/clock.js'
import { databaseService, defineCollection } from '../services/database.js'
import { deploymentService } from '../services/deployment.js'
import { eventsService } from '../services/events.js'
import { metricsService } from '../services/metrics.js'
import { secretsService } from '../services/secrets.js'
import { recordSetup } from './record-setup.js'

const folder = path.resolve('/opt/plugin/dist')

const searches = defineSearchProvider({ id: 'field', title: 'A field', search: async () => ({ results: [] }) })

const search = (setup: (context: PluginContext) => void | Promise<void> = () => undefined, more: object = {}): Plugin =>
  definePlugin({
    manifest: { id: 'search-field', apiVersion: 1, contributes: [searchProviders.id, tools.id, httpRoutes.id, consolePanels.id], ...more },
    async setup(context) {
      await setup(context as never)
      context.contribute(searchProviders, searches)
    },
  })

const reasonOf = async (plugin: Plugin): Promise<string> => {
  const setup = await recordSetup(plugin, folder)
  return 'reason' in setup ? setup.reason : 'none'
}

describe('the record of a setup', () => {
  it('has the data of what is contributed, and the names of the functions', async () => {
    expect(await recordSetup(search(), folder)).to.deep.equal({
      recorded: {
        settings: {},
        collections: [],
        contributions: [{ point: searchProviders.id, data: { specVersion: 1, id: 'field', title: 'A field' }, functions: ['search'] }],
      },
    })
  })

  it('has the same data wherever the plugin lies, and of the errors of a route what clients see', async () => {
    const failed = defineError({ code: 'field_failed', status: 502, title: 'Failed', message: () => 'It failed.' })
    const setup = await recordSetup(
      search((context) => {
        context.contribute(
          consolePanels,
          defineConsolePanel({
            ...{ id: 'search-field', title: { en: 'Field', de: 'Feld' }, group: 'main' },
            content: { kind: 'screen', folder: path.join(folder, 'web'), screen: 'field' },
          }),
        )
        context.contribute(
          httpRoutes,
          defineRoute({
            ...{ method: 'GET', path: '/api/plugins/search-field/field', operationId: 'readSearchField', summary: 'Reads the field' },
            ...{ auth: 'user', errors: [failed], answers: { 204: { description: 'Nothing.' } } },
            handle: async () => ({ status: 204, kind: 'empty' }),
          }),
        )
      }),
      folder,
    )
    const data = 'recorded' in setup ? setup.recorded.contributions.map(({ data }) => data) : []
    expect(data[0]).to.have.deep.property('content', { kind: 'screen', folder: 'web', screen: 'field' })
    expect(data[1]).to.have.deep.property('errors', [{ code: 'field_failed', status: 502 }])
  })

  it('names the collections and the settings that it was made with', async () => {
    const notes = defineCollection<{ readonly id: string; readonly owner: string }>()({
      name: 'search_field.notes',
      version: 1,
      userField: 'owner',
      indexes: {},
    })
    const plugin = definePlugin({
      manifest: {
        ...{ id: 'search-field', apiVersion: 1, contributes: [userData.id] },
        config: Type.Object({ language: Type.String({ default: 'en' }) }),
      },
      collections: [notes],
      setup(context) {
        context.use(databaseService).collection(notes)
        context.contribute(
          userData,
          defineUserData({
            ...{ id: 'search-field.notes', collections: ['search_field.notes'] },
            async *export() {},
            erase: async () => undefined,
            size: async () => ({ records: 0, bytes: 0 }),
          } as never),
        )
      },
    })
    const setup = await recordSetup(plugin, folder)
    expect('reason' in setup && setup.reason).to.equal(false)
    expect(setup).to.have.nested.property('recorded.settings').that.deep.equals({ language: 'en' })
    expect(setup)
      .to.have.nested.property('recorded.collections')
      .that.deep.equals([{ name: 'search_field.notes', userField: 'owner' }])
  })

  it('is the same for a setup that only reads, or makes what measures', async () => {
    const plugin = search((context) => {
      context.use(clockService).now()
      context.use(metricsService).counter({ name: 'search_field_total', help: 'Searches.', labels: {} } as never)
      context.onDispose(() => undefined)
    })
    expect(await reasonOf(plugin)).to.equal('none')
  })

  it('is not made of a setup that begins something', async () => {
    expect(await reasonOf(search((context) => void context.use(clockService).after(1, () => undefined)))).to.equal(
      'its setup calls kernel.clock.after',
    )
    const watching = search(async (context) => void (await context.use(eventsService).subscribe({} as never)))
    expect(await reasonOf(watching)).to.equal('its setup calls kernel.events.subscribe')
  })

  it('is not made of a setup that looks at the deployment', async () => {
    const zoned = search((context) => void context.use(deploymentService).timezone)
    expect(await reasonOf(zoned)).to.equal('its setup reads kernel.deployment.timezone')
    const keyed = search((context) => void context.use(secretsService).resolve('${FIELD_KEY}'))
    expect(await reasonOf(keyed)).to.equal('its setup calls kernel.secrets.resolve')
  })

  it('is not made of what must answer at once, is more than data or lies in a folder', async () => {
    const tool = (more: object) =>
      search((context) =>
        context.contribute(
          tools,
          defineTool({
            ...{
              name: 'look',
              title: 'Look',
              description: 'Looks at the field.',
              parameters: Type.Object({}, { additionalProperties: false }),
            },
            execute: async () => ({ content: [] }),
            ...more,
          } as never),
        ),
      )
    expect(await reasonOf(tool({}))).to.equal('none')
    expect(await reasonOf(tool({ offered: () => true }))).to.contain('“look” to tool has a function “offered” that answers at once')
    expect(await reasonOf(tool({ description: `Looks at ${path.join(folder, 'field.json')}.` }))).to.contain(`names a file in ${folder}`)
    const sized = tool({
      parameters: Type.Object({ size: Type.Number({ default: Number.POSITIVE_INFINITY }) }, { additionalProperties: false }),
    })
    expect(await reasonOf(sized)).to.contain('JSON cannot represent')
  })

  it('is not made where an optional service decides', async () => {
    const field = defineServiceReference<object>()('field')
    const plugin = (setup: (there: boolean, context: PluginContext) => void): Plugin =>
      search((context) => setup(context.use(field as never) !== undefined, context), { optional: ['field'] })
    expect(await reasonOf(plugin(() => undefined))).to.equal('none')
    const deciding = plugin((there, context) => {
      if (there) context.contribute(searchProviders, { ...searches, id: 'more' })
    })
    expect(await reasonOf(deciding)).to.equal('what it contributes depends on whether field is there')
  })

  it('is not made against the manifest, of nothing, and of what a deployment would refuse', async () => {
    expect(await reasonOf(search(undefined, { activation: { at: 'start', reason: 'Watches the field.' } }))).to.equal('Watches the field.')
    const nothing = definePlugin({ manifest: { id: 'nothing', apiVersion: 1 }, setup: () => undefined })
    expect(await reasonOf(nothing)).to.equal('its setup contributes nothing whose first use could start it')
    expect(await reasonOf(search(() => Promise.reject(new Error('no luck'))))).to.equal('its setup could not be tried: no luck')
    expect(await reasonOf(search((context) => context.contribute(searchProviders, searches)))).to.contain('a deployment would refuse it')
    const settings = search(undefined, { config: Type.Object({ key: Type.String() }) })
    expect(await reasonOf(settings))
      .to.contain('could not be tried')
      .and.contain('/key')
  })
})
