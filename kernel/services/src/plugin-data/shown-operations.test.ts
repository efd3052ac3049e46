import { createGate, openTestDatabase, quietLog, type TestDatabase } from '@agent-service/kernel-core/database/testing'
import { expect } from 'chai'
import { pluginDataCollections } from './plugin-data-records.js'
import { createShownOperations, type ShownCollection, type ShownOperations } from './shown-operations.js'

const show = { operation_id: 'notesShow', attributes: { path: '/api/plugins/notes/show' } }
const list = { operation_id: 'notesList', attributes: { path: '/api/plugins/notes/list' } }

describe('the operations that show the data of plugins', () => {
  let test: TestDatabase
  let operations: ShownOperations
  beforeEach(async () => {
    test = await openTestDatabase()
    operations = await open()
  })
  afterEach(() => test.end())

  const open = async ({ settled = Promise.resolve() } = {}): Promise<ShownOperations> =>
    createShownOperations({
      database: await test.database.openFor('kernel', pluginDataCollections),
      settled: () => settled,
      log: quietLog,
    })
  const keep = (shown: ShownCollection, name = 'notes.entries'): void => operations.keep(new Map([[name, shown]]))
  /** As after a start. */
  const reopen = async (): Promise<void> => {
    await operations.close()
    operations = await open()
  }

  it('stay remembered while the plugin that serves them is off, until no plugin declares them', async () => {
    keep({ declared: ['notesShow', 'notesList'], served: [show, list] })
    await reopen()
    keep({ declared: ['notesShow', 'notesList'], served: [show] })
    await reopen()
    expect(await operations.of('notes.entries')).to.deep.equal(['notesList', 'notesShow'])
    expect(operations.attributesOf('notesList')).to.deep.equal(list.attributes)
    keep({ declared: ['notesShow'], served: [show] })
    await reopen()
    expect(await operations.of('notes.entries')).to.deep.equal(['notesShow'])
  })

  it('are kept in one transaction once the plugins have started, and not again', async () => {
    const started = createGate()
    operations = await open({ settled: started.opened })
    const before = test.database.revision()
    for (let n = 0; n < 85; n += 1) keep({ declared: ['notesShow'], served: [show] }, `notes.c${n}`)
    expect(await operations.of('notes.c84'), 'they are known at once').to.deep.equal(['notesShow'])
    expect(test.database.revision() - before).to.equal(0)
    started.open()
    await reopen()
    expect(test.database.revision() - before).to.equal(1)
    for (let n = 0; n < 85; n += 1) keep({ declared: ['notesShow'], served: [show] }, `notes.c${n}`)
    await reopen()
    expect(test.database.revision() - before).to.equal(1)
    expect(await operations.of('notes.c0')).to.deep.equal(['notesShow'])
  })

  it('are kept at a stop before the plugins have started', async () => {
    operations = await open({ settled: new Promise(() => undefined) })
    keep({ declared: ['notesShow'], served: [show] })
    await reopen()
    expect(await operations.of('notes.entries')).to.deep.equal(['notesShow'])
  })
})
