import { databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'

const contribution = (id: string) =>
  `context.contribute(point('database.driver'), { specVersion: 1, id: '${id}', supports: { embedded: true, hotBackup: false, textSearch: true }, open: async () => ({}) })`

describe('the slot for the database driver', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
    for (const id of ['sqlite', 'lowdb']) {
      await tree.write({ manifest: { id: `database-${id}`, contributes: ['database.driver'] }, setup: contribution(id) })
    }
    await tree.write({ manifest: { id: 'feature' } })
  })
  afterEach(() => tree.remove())

  const pick = (key: string) => ({ slots: [{ point: databaseDrivers.id, key, setting: 'database.driver' }] })

  it('is filled first, by the plugin that the configuration picks; the others stay off', async () => {
    const { host, state, reason, opened } = await createTestHost(tree, pick('lowdb'))
    expect(await host.startBoot()).to.include({ id: 'lowdb' })
    expect(recorder.events).to.deep.equal(['database-lowdb setup'])
    expect(opened).to.deep.equal([])
    await host.start()
    expect(state('feature')).to.equal('active')
    expect(state('database-lowdb')).to.equal('active')
    expect(state('database-sqlite')).to.equal('disabled')
    expect(reason('database-sqlite')).to.equal('not selected by database.driver (which is “lowdb”)')
    expect(await failure(host.enable('database-sqlite'))).to.include({ code: 'plugin_locked' })
    const refused = await failure(host.disable('database-lowdb'))
    expect(refused).to.include({ code: 'plugin_in_use' })
    expect(refused.message).to.contain('“database-lowdb” fills the slot database.driver')
    await host.stop()
    expect(state('feature')).to.equal('stopped')
    expect(state('database-lowdb')).to.equal('active')
    await host.stopBoot()
    await host.stopBoot()
    expect(state('database-lowdb')).to.equal('stopped')
    expect(recorder.events.at(-1)).to.equal('database-lowdb disposed')
  })

  const early = `try { context.use(ref('kernel.database')) } catch (error) { test.note(error.code) } test.note(typeof context.use(ref('kernel.clock')).now())`
  it('is filled with only the clock available', async () => {
    await tree.write({
      manifest: { id: 'database-sqlite', contributes: ['database.driver'] },
      setup: `${early}; ${contribution('sqlite')}`,
    })
    const { host } = await createTestHost(tree, pick('sqlite'))
    await host.startBoot()
    expect(recorder.events).to.include.members(['service_unavailable', 'number'])
    await host.stopBoot()
  })

  const faults: readonly (readonly [string, string, () => Promise<unknown>, readonly string[], RegExp])[] = [
    [
      'nobody has it',
      'postgres',
      () => Promise.resolve(),
      [],
      /“database-postgres” is needed \(database\.driver is “postgres”\).*no such plugin is installed/,
    ],
    [
      'its setup throws',
      'sqlite',
      () => tree.write({ manifest: { id: 'database-sqlite', contributes: ['database.driver'] }, setup: `throw new Error('no')` }),
      [],
      /it is failed: setup failed: no/,
    ],
    ['it is disabled', 'sqlite', () => Promise.resolve(), ['database-sqlite'], /it is disabled: disabled by plugins\.disabled/],
    [
      'its manifest does not hold',
      'sqlite',
      () => tree.write({ manifest: { id: 'database-sqlite' }, json: '{' }),
      [],
      /it is invalid: .*is not JSON/,
    ],
    [
      'it requires another plugin',
      'sqlite',
      () => tree.write({ manifest: { id: 'database-sqlite', contributes: ['database.driver'], requires: ['song'] } }),
      [],
      /a driver starts before every other plugin, so it cannot use song/,
    ],
    [
      'it contributes another driver',
      'sqlite',
      () => tree.write({ manifest: { id: 'database-sqlite', contributes: ['database.driver'] }, setup: contribution('mysql') }),
      [],
      /it contributes “mysql” to database\.driver, not “sqlite”/,
    ],
    [
      'it contributes none',
      'sqlite',
      () => tree.write({ manifest: { id: 'database-sqlite', contributes: ['database.driver'] } }),
      [],
      /it contributes nothing to database\.driver/,
    ],
  ]
  for (const [name, key, arrange, disabled, message] of faults) {
    it(`stops the start when ${name}`, async () => {
      await arrange()
      const { host } = await createTestHost(tree, { ...pick(key), disabled })
      const error = await failure(host.startBoot())
      expect(error).to.have.property('code', 'plugin_required_failed')
      expect(error.message).to.match(message)
      await host.stop()
      await host.stopBoot()
    })
  }
})

async function failure(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  return error instanceof Error ? error : new Error(String(error))
}
