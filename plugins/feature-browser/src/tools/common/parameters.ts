import { canonicalJson, type JsonObject, Type } from '@agent-service/sdk'
import type { Tool, ToolScope } from '@agent-service/sdk/contracts/tool'

/** An element of the page, by its name in a snapshot. */
export const refSchema = (description = 'The element: its ref in the latest snapshot, such as e12.') =>
  Type.String({ pattern: '^e[0-9]{1,9}$', description })

/** A name as one line for a person. */
export const shown = (value: unknown): string => {
  const text = String(value ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

/**
 * For a call on the page that is open: its input does not say which, and a ref or a key does something else on
 * another. So nothing of it is allowed for later.
 */
export const onThisPage: Required<Pick<Tool, 'scopes' | 'exactly'>> = { scopes: () => [], exactly: () => false }

/**
 * For a call on the page that is open which a person can only allow on every page: the words say so. Calls with an
 * input of which `isOpen` is false are of no kind.
 */
export const onEveryPage = (
  label: string,
  isOpen: (input: JsonObject) => boolean = () => true,
): Required<Pick<Tool, 'scopes' | 'exactly'>> => ({
  scopes: (input) => (isOpen(input) ? [{ key: canonicalJson(['every page']), label: `${label}, on whatever page is open` }] : []),
  exactly: () => false,
})

/** Longer ones are not named: a person would not read them. */
const maxOriginLength = 120

/** The site of an address; none of one that holds a password, or is none. */
export function siteScopes(given: string): readonly ToolScope[] {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return []
  if (url.origin.length > maxOriginLength) return []
  return [
    {
      key: canonicalJson(['site', url.origin]),
      label: `Open every address of ${url.origin}, and what it leads to, with the sign-ins of the browser`,
    },
  ]
}
