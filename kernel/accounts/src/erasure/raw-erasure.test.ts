import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createGate } from '@agent-service/kernel-core/database/testing'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { defineUserData, userData } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import type { RawCollection } from '../raw-data/index.js'
import { leftCollection, rawDataOf } from '../raw-data/testing/index.js'
import { userErasures } from '../records/records.js'
import { type AuthUnderTest, openAuthUnderTest } from '../testing/auth-under-test.js'

describe('the documents of a deleted account that no running plugin answers for', () => {
  let auth: AuthUnderTest
  let contributions: ContributionRegistry
  let left: readonly RawCollection[]
  beforeEach(async () => {
    contributions = new ContributionRegistry(createControlledClock(), createRecordingLog())
    left = []
    auth = await openAuthUnderTest({ contributions, rawData: rawDataOf(() => left) })
    await auth.register('root')
  })
  afterEach(endTestStores)

  /** Notes that the data of accounts is to be erased. */
  const deleteAccounts = async (...ids: readonly string[]): Promise<void> => {
    for (const [index, id] of ids.entries())
      await auth.store.database.collection(userErasures).put({
        id,
        handle: id,
        requested_at: `2020-01-01T00:00:0${index}.000Z`,
        erased: [],
        names_sealed: null,
        has_earlier_names: false,
        audit_read_to: null,
      })
  }
  const erase = async (): Promise<void> => {
    await auth.jobs.find(({ id }) => id === 'kernel.erase-users')?.run({ signal: new AbortController().signal, epoch: 1 })
  }
  const rawPartsOf = async (id: string): Promise<readonly string[]> =>
    (await auth.store.database.collection(userErasures).get(id))?.erased.filter((part) => part.startsWith('raw:')) ?? []

  it('are erased of plugins that are gone, switched off or have forgotten them, each once', async () => {
    contributions.settle()
    const beds = leftCollection('garden.beds')
    const lamps = leftCollection('lamp.lamps', { state: 'disabled', isAwaited: true })
    const bulbs = leftCollection('bulb.bulbs', { state: 'active' })
    const shades = leftCollection('shade.shades', { state: 'failed', isAwaited: true })
    left = [beds, lamps, bulbs, shades]
    for (const { ids } of [beds, lamps, bulbs, shades]) ids.set('ada', ['one', 'two']).set('bob', ['three'])
    await deleteAccounts('ada')
    await erase()
    for (const { ids } of [beds, lamps, bulbs]) expect([...ids.keys()]).to.deep.equal(['bob'])
    expect([...shades.ids.keys()], 'its plugin erases it when it runs again').to.deep.equal(['ada', 'bob'])
    expect(await rawPartsOf('ada')).to.deep.equal(['raw:garden.beds', 'raw:lamp.lamps', 'raw:bulb.bulbs'])
    left = [beds, lamps, bulbs, { ...shades, state: 'gone', isAwaited: false }]
    await erase()
    expect([...shades.ids.keys()]).to.deep.equal(['bob'])
  })

  it('that cannot be erased keep no other account’s, and are tried again where it ended', async () => {
    contributions.settle()
    const beds = leftCollection('garden.beds')
    let isBroken = true
    const breaking: RawCollection = {
      ...beds,
      async erase(userId, options) {
        if (userId !== 'ada' || !isBroken) return beds.erase(userId, options)
        beds.ids.set('ada', beds.ids.get('ada')?.slice(1) ?? [])
        throw new Error('The disk is full.')
      },
    }
    const lamps = leftCollection('lamp.lamps')
    left = [breaking, lamps]
    for (const { ids } of [beds, lamps]) ids.set('ada', ['one', 'two']).set('bob', ['three'])
    await deleteAccounts('ada', 'bob')
    await erase()
    expect([[...beds.ids], [...lamps.ids]]).to.deep.equal([[['ada', ['two']]], []])
    expect(await rawPartsOf('ada')).to.deep.equal(['raw:lamp.lamps'])
    isBroken = false
    await erase()
    expect([...beds.ids]).to.deep.equal([])
    expect(await rawPartsOf('ada')).to.deep.equal(['raw:lamp.lamps', 'raw:garden.beds'])
  })

  it('are waited for at a stop, without a line, and nothing begins after it', async () => {
    contributions.settle()
    const stop = new AbortController()
    const [reached, goOn] = [createGate(), createGate()]
    const beds = leftCollection('garden.beds')
    let calls = 0
    const slow: RawCollection = {
      ...beds,
      async erase() {
        calls += 1
        reached.open()
        await goOn.opened
        throw new Error('The database has been closed.')
      },
    }
    left = [slow]
    auth = await openAuthUnderTest({ store: auth.store, contributions, rawData: rawDataOf(() => left), signal: stop.signal })
    await deleteAccounts('ada')
    auth.continueErasures()
    await reached.opened
    stop.abort(new DOMException('The service stops.', 'AbortError'))
    let isClosed = false
    const closing = auth.close().then(() => {
      isClosed = true
    })
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed, 'an erasure is at work').to.equal(false)
    goOn.open()
    await closing
    auth.continueErasures()
    auth.continueHandOvers()
    await auth.close()
    expect([calls, auth.log.lines]).to.deep.equal([1, []])
  })

  it('end at a stop where the plugins have not started', async () => {
    const stop = new AbortController()
    const beds = leftCollection('garden.beds')
    beds.ids.set('ada', ['one'])
    left = [beds]
    auth = await openAuthUnderTest({ store: auth.store, contributions, rawData: rawDataOf(() => left), signal: stop.signal })
    await deleteAccounts('ada')
    const asked = createGate()
    const settled = contributions.settled.bind(contributions)
    contributions.settled = (point) => {
      asked.open()
      return settled(point)
    }
    auth.continueErasures()
    await asked.opened
    stop.abort(new DOMException('The service stops.', 'AbortError'))
    await auth.close()
    expect([[...beds.ids.keys()], auth.log.lines]).to.deep.equal([['ada'], []])
  })

  it('are not those of plugins that are about to start, which erase them, also when they come back later', async () => {
    const erased: string[] = []
    const beds = leftCollection('garden.beds')
    beds.ids.set('ada', ['one'])
    left = [beds]
    await deleteAccounts('ada')
    const settled = contributions.settled.bind(contributions)
    const asked = new Promise<void>((resolve) => {
      contributions.settled = (point) => {
        resolve()
        return settled(point)
      }
    })
    const erasing = erase()
    await asked
    expect([...beds.ids.keys()]).to.deep.equal(['ada'])
    left = []
    const garden = defineUserData({
      id: 'garden',
      collections: ['garden.beds'],
      async *export() {},
      erase: async (userId) => void erased.push(userId),
      size: async () => ({ records: 0, bytes: 0 }),
    })
    contributions.settle()
    await erasing
    expect([...beds.ids.keys()]).to.deep.equal(['ada'])
    left = [beds]
    await erase()
    expect([...beds.ids.keys()]).to.deep.equal([])
    contributions.admit('garden', [{ point: userData.id, key: garden.id, value: garden }])
    await erase()
    expect(erased).to.deep.equal(['ada'])
  })
})
