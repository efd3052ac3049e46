import { expect } from 'chai'
import { createControlledClock } from '../../clock/testing/index.js'
import { eventNumber } from '../event-numbers.js'
import { storedEvents } from '../event-records.js'
import { pruneSlackMs } from '../event-store.js'
import { type EventsUnderTest, openEventsUnderTest, readStream, type StreamReader, settle } from './events-under-test.js'
import { openTestStore } from './test-store.js'

/** One step of the plan. */
export type Step =
  | { readonly kind: 'record'; readonly user: number; readonly events: number }
  | { readonly kind: 'delta'; readonly user: number }
  | { readonly kind: 'connect' | 'disconnect'; readonly user: number; readonly client: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'prune' | 'restart' | 'settle' }

const retentionSeconds = 30

/** A client that remembers the last number it saw, and resumes after it. */
interface Client {
  readonly user: string
  connection: Connection | undefined
  last: number | undefined
  /** Since when it was away, or has not read an event. */
  leftAt: number
}

interface Connection {
  readonly reader: StreamReader
  /** The client must get everything after this number, unless a reset comes. */
  readonly from: number
  /** Whether it resumed after being away for so long that a reset is right. */
  readonly mayReset: boolean
}

interface Committed {
  readonly user: string
  readonly number: number
  readonly recordedAt: number
}

/**
 * Runs the steps against real streams over a store with random delays, and compares what clients
 * see with a simple model: the list of all committed state events with their numbers.
 */
export async function playSteps(steps: readonly Step[], pauses: readonly number[]): Promise<void> {
  const clock = createControlledClock()
  const store = await openTestStore()
  const clients = new Map<string, Client>()
  const committed = new Map<number, Committed>()
  let work: Promise<unknown>[] = []
  const commits = new Map<Promise<void>, number>()
  let pauseCount = 0
  let token = 0
  store.pause = async () => {
    const turns = pauses[pauseCount++ % pauses.length] ?? 0
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  }
  let opened: EventsUnderTest = await open()

  function open(): Promise<EventsUnderTest> {
    return openEventsUnderTest({ store, clock, retentionSeconds, limits: { tailEvents: 4 } })
  }

  /** Records every event in the store with its number, before pruning. */
  const noteCommitted = async (): Promise<void> => {
    for (const { document, revision } of await store.stored(storedEvents)) {
      const number = eventNumber(revision, document.position)
      committed.set(Number(document.data['token']), { user: document.user_id, number, recordedAt: Date.parse(document.recorded_at) })
    }
  }

  const settleAll = async (): Promise<void> => {
    await Promise.all(work)
    work = []
    await settle()
    await noteCommitted()
    for (const client of clients.values()) if (client.connection) checkComplete(client, client.connection)
  }

  const commit = (user: string, events: number): void => {
    const ended = opened.commit(user, ...Array.from({ length: events }, () => ['message.created', { token: token++ }] as const))
    commits.set(ended, clock.now())
    work.push(ended.finally(() => commits.delete(ended)))
  }

  /**
   * Lets time pass. No transaction takes longer than the slack that pruning allows for: after a
   * longer one even a client that was away for a moment may get a reset.
   */
  const wait = async (milliseconds: number): Promise<void> => {
    const end = clock.now() + milliseconds
    await Promise.all([...commits].filter(([, begun]) => end - begun > pruneSlackMs).map(([ended]) => ended))
    await clock.advance(milliseconds)
  }

  const checkOrder = ({ reader, from }: Connection): void => {
    let last = from
    reader.seen.forEach(({ id, name }, index) => {
      if (name === 'reset') expect(index, 'a reset comes first').to.equal(0)
      else expect(id, 'numbers grow').to.be.greaterThan(last)
      last = id
    })
  }

  const checkComplete = (client: Client, connection: Connection): void => {
    checkOrder(connection)
    const { seen } = connection.reader
    const reset = seen.find(({ name }) => name === 'reset')
    if (reset) expect(connection.mayReset, 'a reset of who was not away for long').to.equal(true)
    const owedFrom = reset ? reset.id : connection.from
    const owed = [...committed].filter(([, { user, number }]) => user === client.user && number > owedFrom)
    const got = seen.flatMap(({ id, data }) => (typeof data['token'] === 'number' ? [[data['token'], id]] : []))
    expect(got).to.deep.equal(owed.map(([token, { number }]) => [token, number]).sort((a, b) => Number(a[1]) - Number(b[1])))
  }

  const connect = (client: Client): void => {
    if (client.connection) return
    const after = client.last
    client.connection = {
      from: after ?? opened.events.position(client.user),
      mayReset: after !== undefined && clock.now() - client.leftAt >= retentionSeconds * 1000,
      reader: readStream((signal) => opened.streams.open(client.user, { signal, ...(after === undefined ? {} : { after }) })),
    }
  }

  const disconnect = async (client: Client): Promise<void> => {
    const { connection } = client
    if (!connection) return
    await connection.reader.close()
    checkOrder(connection)
    client.connection = undefined
    client.last = connection.reader.seen.at(-1)?.id ?? connection.from
    await noteCommitted()
    // What it left unread is kept from its recording on, not from here on.
    const unread = [...committed.values()].filter(({ user, number }) => user === client.user && number > (client.last ?? 0))
    client.leftAt = Math.max(client.leftAt, Math.min(clock.now(), ...unread.map(({ recordedAt }) => recordedAt)))
  }

  const clientOf = (user: number, number: number): Client => {
    const key = `${user}/${number}`
    const known = clients.get(key) ?? { user: `user-${user}`, connection: undefined, last: undefined, leftAt: 0 }
    clients.set(key, known)
    return known
  }

  const take = async (step: Step): Promise<void> => {
    switch (step.kind) {
      case 'record':
        commit(`user-${step.user}`, step.events)
        return
      case 'delta':
        opened.delta(`user-${step.user}`)
        return
      case 'connect':
        connect(clientOf(step.user, step.client))
        return
      case 'disconnect':
        await disconnect(clientOf(step.user, step.client))
        return
      case 'wait':
        await wait(step.seconds * 1000)
        return
      case 'prune':
        await noteCommitted()
        work.push(opened.prune())
        return
      case 'restart':
        await settleAll()
        for (const client of clients.values()) await disconnect(client)
        opened.close()
        opened = await open()
        return
      case 'settle':
        await settleAll()
    }
  }

  for (const step of steps) await take(step)
  await settleAll()
  for (const client of clients.values()) await disconnect(client)
  opened.close()
}
