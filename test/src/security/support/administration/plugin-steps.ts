import { databaseToken } from '@agent-service/kernel/testing/tokens'
import { defineCollection } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { connect } from '../../../http/support/web-socket.js'
import { plant, read, type Step, send, type World } from './step.js'

const things = '/api/plugins/tool-unseen/things'

/** The operations of a plugin that the service does not know, and the switch for plugins. */
export const pluginSteps: Readonly<Record<string, Step>> = {
  toolUnseenChangeThing: {
    call: (world) =>
      send(world, 'POST', `${things}/lamp?key=${encodeURIComponent(plant(world, 'key of a query'))}`, {
        secret: plant(world, 'secret of a body'),
      }),
    noted: 'admin.operation',
    check: (entry) =>
      void expect(entry.details).to.deep.equal({
        ...{ operation: 'toolUnseenChangeThing', method: 'POST', path: `${things}/{thing_id}` },
        ...{ params: { thing_id: 'lamp' }, status: 204 },
      }),
  },
  toolUnseenNoteThing: {
    call: (world) => send(world, 'PUT', `${things}/lamp`, {}),
    noted: 'thing.noted',
    check(entry) {
      expect(entry).to.deep.include({ subject_id: 'lamp', before: { key: 'set' }, after: { key: 'changed' } })
      expect(entry.details).to.deep.equal({ plugin: 'tool-unseen' })
    },
  },
  toolUnseenReadThing: read(`${things}/lamp`),
  toolUnseenLookAtThing: { call: (world) => send(world, 'POST', `${things}/lamp/look`, {}) },
  toolUnseenBreakThing: {
    call: (world) => send(world, 'PATCH', `${things}/lamp`, {}),
    statuses: [500],
    noted: 'admin.operation',
    check: (entry) => void expect(entry.details).to.include({ operation: 'toolUnseenBreakThing', status: 500 }),
  },
  toolUnseenTalkToThing: {
    async call({ service, admin }) {
      const headers = { ...admin.authorization, 'x-request-id': 'request-of-a-socket' }
      const { socket, ask, closed } = await connect(`${service.kernel.url}${things}/lamp/talk`, headers)
      const text = await ask('hello')
      socket.close()
      await closed
      return { status: 101, headers: new Headers(headers), json: {}, text }
    },
    noted: 'admin.operation',
    check: (entry) => void expect(entry.details).to.deep.include({ method: 'GET', params: { thing_id: 'lamp' }, status: 101 }),
  },
  toolUnseenRefuseThing: { call: (world) => send(world, 'DELETE', `${things}/lamp`), statuses: [404] },
  listPlugins: read('/api/admin/plugins'),
  disablePlugin: {
    call: (world) => send(world, 'POST', '/api/admin/plugins/tool-unseen/disable'),
    noted: 'plugin.disabled',
    check: (entry) =>
      void expect(entry).to.deep.include({ subject_id: 'tool-unseen', before: { enabled: true }, after: { enabled: false } }),
  },
  enablePlugin: {
    call: (world) => send(world, 'POST', '/api/admin/plugins/tool-unseen/enable'),
    noted: 'plugin.enabled',
    check: (entry) =>
      void expect(entry).to.deep.include({ subject_id: 'tool-unseen', before: { enabled: false }, after: { enabled: true } }),
  },
  listPluginData: {
    async call(world) {
      await leaveData(world)
      return send(world, 'GET', '/api/admin/plugins/data')
    },
  },
  keepPluginData: {
    call: (world) => send(world, 'POST', '/api/admin/plugins/garden/data/keep'),
    noted: 'plugin_data.kept',
    check: (entry) => void expect(entry).to.include({ subject_id: 'garden' }),
  },
  deletePluginData: {
    call: (world) => send(world, 'DELETE', '/api/admin/plugins/garden/data'),
    noted: 'plugin_data.deletion_begun',
    completed: 'plugin_data.deleted',
    check(entry) {
      expect(entry).to.include({ subject_id: 'garden' })
      expect(entry.details).to.deep.equal({ collections: [{ name: 'garden.beds', documents: 1 }], folders: [] })
    },
  },
}

/** What a plugin that is not installed any more has stored. */
async function leaveData({ service }: World): Promise<void> {
  const beds = defineCollection()({ name: 'garden.beds', version: 1, indexes: {} })
  const database = await service.kernel.container.resolve(databaseToken).openFor('garden', [beds], { thirdParty: true })
  await database.collection(beds).put({ id: 'one' })
}
