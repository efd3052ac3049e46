import type { AnyEvent, EventOf } from '../api/create-events.js'
import { QueryCache } from './cache.js'
import { createPagedQuery, createQuery, type PagedQueryOptions, type QueryOptions } from './create-query.js'
import type { QueryKey } from './key.js'
import type { PagedQuery } from './reading-pages.js'
import type { Query } from './reading-value.js'
import { type SharedQuery, type SharedQueryOptions, sharedQuery } from './shared-query.js'

/** What each event changes: the keys of what is read again, and of all that begins with them. */
export type Changes<Event extends AnyEvent> = {
  readonly [Name in Event['event']]?: (event: EventOf<Event, Name>) => readonly QueryKey[]
}

/** The queries of one feature. */
export interface Queries {
  /**
   * Reads what is under a key for as long as the component is there, and again when it changes. Unlike a resource it never suspends
   * what is on the screen. Components that use the same key share one value and one request.
   *
   * @example
   * export function Rules(): JSX.Element {
   *   const rules = createQuery({ key: () => ['rules'], read: (signal) => api.get('/api/plugins/tool-dice/rules', { signal }) })
   *   return (
   *     <Switch fallback={<Skeleton />}>
   *       <Match when={rules.value()}>{(value) => <p>{t('sides', { count: value().sides })}</p>}</Match>
   *       <Match when={rules.error()}>{(error) => <Failure error={error()} onRetry={() => void rules.reload()} />}</Match>
   *     </Switch>
   *   )
   * }
   */
  createQuery<Value>(options: QueryOptions<Value>): Query<Value>
  /**
   * The same for a cursor-paged operation; {@link PagedRows} shows it.
   *
   * @example
   * export function Rolls(): JSX.Element {
   *   const list = createPagedQuery({
   *     key: () => ['rolls'],
   *     read: (cursor, signal) =>
   *       api.get('/api/plugins/tool-dice/rolls', { query: { limit: 50, ...(cursor !== undefined && { cursor }) }, signal }),
   *     idOf: ({ id }) => id,
   *   })
   *   return (
   *     <PagedRows list={list} label={t('rolls')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
   *       {(roll) => <span class="grow">{roll.name}</span>}
   *     </PagedRows>
   *   )
   * }
   */
  createPagedQuery<Item>(options: PagedQueryOptions<Item>): PagedQuery<Item>
  /**
   * Shares what is under a key between modules for as long as the page is open; made at the top of a module. Nothing is read before
   * the first call of `read`.
   *
   * @example
   * const sides = sharedQuery<readonly number[]>({
   *   key: ['sides'],
   *   initial: [],
   *   read: async (signal) => [(await api.get('/api/plugins/tool-dice/rules', { signal })).sides],
   * })
   *
   * export function Sides(): JSX.Element {
   *   void sides.read()
   *   return <Show when={!sides.error()} fallback={<Failure error={sides.error()} />}>{sides.value().join()}</Show>
   * }
   */
  sharedQuery<Value>(options: SharedQueryOptions<Value>): SharedQuery<Value>
  /**
   * Says that what is under these keys has changed, and under all that begin with them: what is in use is read again. For a change
   * that no event tells of.
   *
   * @example
   * await api.delete('/api/plugins/tool-dice/rolls/{id}', { path: { id } })
   * invalidate(['rolls'])
   */
  invalidate(...keys: readonly QueryKey[]): void
}

/**
 * Makes the queries of a feature, in one cache by keys for the whole page; the keys are the feature's own. What an event changes is
 * said once, here, and read again wherever it is shown. After lost events, and when the service is back, all that is in use is read
 * again.
 *
 * @example
 * type DiceEvent = { readonly event: 'tool-dice.rolled'; readonly data: { readonly id: string; readonly name: string } }
 * export const { createQuery, createPagedQuery, invalidate } = createQueries<DiceEvent>({
 *   'tool-dice.rolled': ({ data }) => [['rolls'], ['roll', data.id]],
 * })
 */
export function createQueries<Event extends AnyEvent>(changes: Changes<Event> = {}): Queries {
  const cache = new QueryCache(changes as Readonly<Record<string, (event: never) => readonly QueryKey[]>>)
  return {
    createQuery: (options) => createQuery(cache, options),
    createPagedQuery: (options) => createPagedQuery(cache, options),
    sharedQuery: (options) => sharedQuery(cache, options),
    invalidate: (...keys) => cache.invalidate(keys),
  }
}
