import type { VaultConnector, VaultItems } from '../../../contracts/vault-connector/vault-connector.js'
import type { PlainVault } from '../../plain-vault/index.js'
import { type Change, cached, describeTwins, idAt } from './break-connector.test.js'
import { cursors, down, finds, findsNothing, fresh, lists, moves, pages, stable } from './suite-titles.test.js'

/** Changes every page. */
const paging =
  (change: (page: VaultItems) => VaultItems): Change =>
  ({ list }) => ({ list: async (...call) => change(await list(...call)) })

/** Cursors are positions. */
function countingCursors({ list }: VaultConnector): Partial<VaultConnector> {
  return {
    async list(of, { limit, cursor, ...query }, call) {
      const { items } = await list(of, { ...query, limit: 200 }, call)
      const from = Number(cursor ?? 0)
      const end = from + limit
      return { items: items.slice(from, end), ...(end < items.length ? { nextCursor: String(end) } : {}) }
    },
  }
}

function withoutBadCursor<T extends { readonly cursor?: string }>({
  cursor,
  ...query
}: T): Omit<T, 'cursor'> & { readonly cursor?: string } {
  return { ...query, ...(cursor?.startsWith('item-') ? { cursor } : {}) }
}

function caseSensitive({ list }: VaultConnector): Partial<VaultConnector> {
  return {
    async list(of, { text = '', ...query }, call) {
      const { items } = await list(of, { ...query, limit: 200 }, call)
      return { items: items.filter(({ id, title, group = '' }) => [id, title, group].some((each) => each.includes(text))) }
    },
  }
}

function searchingValues({ list }: VaultConnector, vault: PlainVault): Partial<VaultConnector> {
  return {
    async list(of, query, call) {
      const page = await list(of, query, call)
      if (query.text === undefined || page.items.length > 0) return page
      const { text, ...all } = query
      const { items } = await list(of, all, call)
      const own = vault.account(String(of.members['token'])).items
      return { items: items.filter(({ id }) => own.get(id)?.fields.some(({ value }) => value.includes(text))) }
    },
  }
}

function valueInTitle({ list }: VaultConnector, vault: PlainVault): Partial<VaultConnector> {
  return {
    async list(of, query, call) {
      const own = vault.account(String(of.members['token'])).items
      const { items, ...page } = await list(of, query, call)
      return { ...page, items: items.map((item) => ({ ...item, group: own.get(item.id)?.fields.at(-1)?.value ?? '' })) }
    },
  }
}

describeTwins('lists', [
  ['a list without its last item', paging(({ items }) => ({ items: items.slice(0, -1) })), [lists, pages]],
  ['an item twice', paging(({ items, ...page }) => ({ ...page, items: items.flatMap((item) => [item, item]) })), [lists]],
  ['pages over the limit', ({ list }) => ({ list: (of, query, call) => list(of, { ...query, limit: 200 }, call) }), [pages]],
  ['a list that ends with its first page', paging(({ items }) => ({ items })), [pages]],
  ['cursors that count', countingCursors, [stable]],
  ['any cursor', ({ list }) => ({ list: (of, query, call) => list(of, withoutBadCursor(query), call) }), [cursors]],
  [
    'a list that is cached for good',
    ({ list }) => ({ list: cached((of, query) => idAt(of) + JSON.stringify(query), list) }),
    [fresh, moves, down],
  ],
  ['a search that minds the case', caseSensitive, [finds]],
  ['a search in the values', searchingValues, [findsNothing]],
  ['no search', ({ list }) => ({ list: (of, { text: _, ...query }, call) => list(of, query, call) }), [finds, findsNothing]],
  ['a value in a title', valueInTitle, [lists]],
  ['a member that the contract does not have', paging(({ items }) => ({ items: items.map((item) => ({ ...item, url: 'x' })) })), [lists]],
  ['times in seconds', paging(({ items }) => ({ items: items.map((item) => ({ ...item, changedAt: 1_700_000_000 })) })), [lists]],
])
