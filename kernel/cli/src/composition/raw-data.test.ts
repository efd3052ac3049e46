import type { RawData } from '@agent-service/kernel-accounts/raw-data'
import { openTestDatabase, type TestDatabase } from '@agent-service/kernel-core/database/testing'
import type { DiscoveredPlugin, PluginReport } from '@agent-service/kernel-core/plugins'
import { PluginData, pluginDataCollections } from '@agent-service/kernel-services/plugin-data'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { createRawData, createShownNow } from './raw-data.js'

/** What was found of a source whose folder is missing. */
const unreadable: DiscoveredPlugin = {
  ...{ status: 'invalid', id: '/opt/gardn', version: 'unknown', source: '/opt/gardn', builtIn: false, root: '/opt/gardn' },
  ...{ reason: '/opt/gardn/package.json is missing', problems: [], unidentified: true },
}

interface Booking extends StoredObject {
  readonly user_id: string
}

/** Of a release that kept no declarations: whether its index is about owners is not known. */
const bookings = defineCollection<Booking>()({ name: 'garden.bookings', version: 1, indexes: { by_user: { fields: ['user_id'] } } })

describe('raw data of plugins that have not run since declarations are kept', () => {
  let test: TestDatabase
  beforeEach(async () => {
    test = await openTestDatabase()
    await test.database.openFor('garden', [bookings], { thirdParty: true })
  })
  afterEach(() => test.end())

  const rawDataWith = async (
    installed: readonly Pick<PluginReport, 'id' | 'state' | 'contributes'>[],
    { unread = false } = {},
  ): Promise<RawData> => {
    const own = await test.database.openFor('kernel', pluginDataCollections)
    return createRawData({
      pluginData: new PluginData(own, test.database),
      contributions: { list: () => [] },
      host: { report: () => installed as readonly PluginReport[] },
      discovered: unread ? [unreadable] : [],
      shownOperations: { of: async () => [] },
    })
  }
  const collectionsOf = async (installed: Parameters<typeof rawDataWith>[0]): Promise<readonly string[]> =>
    (await (await rawDataWith(installed)).collections()).map(({ name, isAwaited }) => `${name}${isAwaited ? ', awaited' : ''}`)

  const cases: readonly (readonly [string, Parameters<typeof collectionsOf>[0], readonly string[]])[] = [
    ['is what an index says, of a plugin that is gone', [], ['garden.bookings']],
    ['is nothing of an installed plugin without data of users', [{ id: 'garden', state: 'failed', contributes: ['tool'] }], []],
    ['is nothing of such a plugin that is switched off', [{ id: 'garden', state: 'disabled', contributes: [] }], []],
    [
      'waits for a plugin with data of users',
      [{ id: 'garden', state: 'failed', contributes: ['user.data'] }],
      ['garden.bookings, awaited'],
    ],
    [
      'waits for a plugin whose manifest cannot be read',
      [{ id: 'garden', state: 'invalid', contributes: [] }],
      ['garden.bookings, awaited'],
    ],
  ]
  for (const [title, installed, expected] of cases) it(title, async () => expect(await collectionsOf(installed)).to.deep.equal(expected))

  it('waits for a plugin that may be in a source that cannot be read', async () => {
    const rawData = await rawDataWith([], { unread: true })
    const [bookingsOfUsers] = await rawData.collections()
    expect(bookingsOfUsers).to.include({ state: 'unknown', isAwaited: true })
    expect(rawData.isGone('garden')).to.equal(false)
    expect((await rawDataWith([])).isGone('garden')).to.equal(true)
  })
})

describe('the operations that show data now', () => {
  const route = (operationId: string): HttpRoute =>
    defineRoute({
      method: 'GET',
      path: `/api/plugins/garden/${operationId}`,
      operationId,
      summary: 'Shows',
      auth: 'user',
      answers: { 200: { description: 'What is shown.', schema: Type.Unknown() } },
      handle: async () => ok({}),
    })
  const part = (collections: readonly string[], shownBy: readonly string[]) => ({
    pluginId: 'garden',
    key: collections.join(),
    value: { collections, shownBy } as unknown as UserData,
  })
  const beds = part(['garden.beds'], ['bedList', 'bedShow'])
  const all = [beds, part(['garden.beds', 'garden.tools'], ['toolList'])]
  const shownNow = createShownNow({ list: () => all as never })
  const operations = ['bedList', 'bedShow', 'toolList'].map((id) => ({ route: route(id) }))

  it('are declared, and served or not, of all plugins that declare them', () => {
    const shown = shownNow(operations.slice(1))
    expect([...shown.keys()]).to.deep.equal(['garden.beds', 'garden.tools'])
    expect(shown.get('garden.beds')?.declared).to.deep.equal(['bedList', 'bedShow', 'toolList'])
    expect(shown.get('garden.beds')?.served).to.deep.equal(
      ['bedShow', 'toolList'].map((id) => ({ operation_id: id, attributes: { operation_id: id, level: 'user', scope: 'read' } })),
    )
  })

  it('are the same object until a route of them comes or goes', () => {
    const tools = shownNow(operations).get('garden.tools')
    expect(shownNow(operations.slice(2)).get('garden.tools')).to.equal(tools)
    expect(shownNow(operations.slice(0, 2)).get('garden.tools')).to.deep.equal({ declared: ['toolList'], served: [] })
    expect(shownNow([{ route: route('toolList') }]).get('garden.tools')).to.not.equal(tools)
  })
})
