import { pageQuery, readAll } from '@agent-service/sdk/web'
import { api, type Counter, sharedQuery } from './api.js'

/** What the person counts. The screen and what runs beside every screen show the same. */
export const counters = sharedQuery<readonly Counter[]>({
  key: ['counters'],
  initial: [],
  read: (signal) => readAll((cursor) => api.get('/api/plugins/panel-tally/counters', { query: pageQuery(cursor), signal })),
})

const put = (counter: Counter): void =>
  counters.change((before) =>
    before.some(({ id }) => id === counter.id) ? before.map((each) => (each.id === counter.id ? counter : each)) : [...before, counter],
  )

export async function addCounter(name: string): Promise<void> {
  put(await api.post('/api/plugins/panel-tally/counters', { body: { name } }))
}

export async function renameCounter({ id }: Counter, name: string): Promise<void> {
  put(await api.patch('/api/plugins/panel-tally/counters/{counter_id}', { path: { counter_id: id }, body: { name } }))
}

export async function countUp({ id }: Counter): Promise<Counter> {
  const counter = await api.post('/api/plugins/panel-tally/counters/{counter_id}/count', { path: { counter_id: id } })
  put(counter)
  return counter
}

export async function removeCounter({ id }: Counter): Promise<void> {
  await api.delete('/api/plugins/panel-tally/counters/{counter_id}', { path: { counter_id: id } })
  counters.change((before) => before.filter((each) => each.id !== id))
}
