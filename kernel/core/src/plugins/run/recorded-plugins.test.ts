import type { RecordedContribution, RecordedSetup } from '@agent-service/sdk'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import type { PluginFiles, TestHost } from './fixture.test.js'

/** A search as a build records it. */
export const search = (id: string, title = 'A search'): RecordedContribution => ({
  point: searchProviders.id,
  data: { specVersion: 1, id, title },
  functions: ['search'],
})

export const recorded = (...contributions: readonly RecordedContribution[]): RecordedSetup => ({
  settings: {},
  collections: [],
  contributions,
})

/** A plugin whose search answers with its id. */
export const finder = (
  id: string,
  more: Partial<PluginFiles> & { readonly links?: PluginFiles['manifest'] | object } = {},
): PluginFiles => ({
  manifest: { id, contributes: [searchProviders.id], ...more.links },
  recorded: recorded(search(id)),
  setup: `
    ${more.setup ?? ''}
    context.contribute(point('search.provider'), {
      specVersion: 1, id: '${id}', title: 'A search', async search() { test.note('${id} searched'); return { results: [] } },
    })`,
})

/** Searches with the one of a plugin. */
export async function use({ contributions }: TestHost, id: string): Promise<unknown> {
  const lease = contributions.acquire(searchProviders, id)
  if (lease === undefined) throw new Error(`Nothing has contributed ${id}.`)
  try {
    return await lease.value.search({ text: 'tea', limit: 1 }, {}, { signal: lease.signal })
  } finally {
    lease.release()
  }
}

/** What work fails with. */
export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )
