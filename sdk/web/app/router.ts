import { createSignal } from 'solid-js'
import { basePath, pathWithin, placed } from '../core/base.js'

/** Where the console is: the path, below its base path, and the query of the address. */
const [place, setPlace] = createSignal(new URL(location.href))

const pathOf = ({ pathname }: URL): string => pathWithin(pathname) ?? pathname

/** The path of the console that is shown, below its base path and not decoded: `/files/reports`. Components follow it. */
export const currentPath = (): string => pathOf(place())
/** The query of the address that is shown. Components follow it; to change it, {@link navigate}. */
export const currentQuery = (): URLSearchParams => place().searchParams

/** Questions that must be answered before the place changes, such as about unsaved changes. */
const guards = new Set<() => boolean | Promise<boolean>>()

/**
 * Asks before the place is left: false stays. Returns the undo. Closing the tab asks in the
 * browser's own words while a guard that is set says false.
 */
export function guardLeaving(guard: () => boolean | Promise<boolean>): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

async function mayLeave(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false
  return true
}

/**
 * Goes to a path of the console, its query included. `replace` leaves no entry in the history. Resolves when the place is shown, or
 * stays since {@link guardLeaving} kept the person. Plain links (`<a href="/files">`) need no call: the console follows them.
 *
 * @example
 * await navigate(`/panels/tool-dice-table/${encodeURIComponent(roll.id)}`)
 * await navigate('/panels/tool-dice-table?sides=6', { replace: true })
 */
export async function navigate(to: string, options: { readonly replace?: boolean } = {}): Promise<void> {
  const next = new URL(placed(to), location.href)
  if (pathOf(next) !== currentPath() && !(await mayLeave())) return
  if (options.replace) history.replaceState(null, '', next)
  else if (next.href !== location.href) history.pushState(null, '', next)
  setPlace(next)
}

/** Stands at another path of the console, in the place of this one, without asking: where a sign-in ends, nothing can be lost. */
export function takePlace(path: string): void {
  const next = new URL(placed(path), location.href)
  history.replaceState(null, '', next)
  setPlace(next)
}

/** Follows links of the page and the browser's back and forward. */
export function startRouter(): void {
  enterBase()
  window.addEventListener('popstate', () => setPlace(new URL(location.href)))
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    if (!(link instanceof HTMLAnchorElement) || !isOwn(link, event)) return
    event.preventDefault()
    void navigate(link.href)
  })
}

/**
 * A page that was opened beside the base path, such as through a tunnel to the service itself, goes
 * on below it: the service answers there too, and the cookie of the session is for it.
 */
function enterBase(): void {
  if (location.pathname.startsWith(`${basePath}/`)) return
  const path = pathWithin(location.pathname) ?? location.pathname
  history.replaceState(null, '', `${placed(path)}${location.search}${location.hash}`)
  setPlace(new URL(location.href))
}

const ofService = /^\/(api|v1|s|p|\.well-known)(\/|$)/

/** Whether the service answers at a path itself, so that no page of the console is there. */
export const isOfService = (path: string): boolean => ofService.test(path)

function isOwn(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  if (link.origin !== location.origin || link.hasAttribute('download') || (link.target !== '' && link.target !== '_self')) return false
  const samePage = link.pathname === location.pathname && link.search === location.search && link.hash !== ''
  const path = pathWithin(link.pathname)
  return !samePage && path !== undefined && !isOfService(path)
}

/**
 * The parameters of a path that matches a pattern: `/chats/:chatId`, `/files/*`. The rest that `*`
 * stands for is under the name `rest`.
 */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const parts = pattern.split('/').filter(Boolean)
  const segments = path.split('/').filter(Boolean)
  const found: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    if (part === '*') return { ...found, rest: segments.slice(index).map(decode).join('/') }
    const segment = segments[index]
    if (segment === undefined) return undefined
    if (part.startsWith(':')) found[part.slice(1)] = decode(segment)
    else if (part !== segment) return undefined
  }
  return parts.length === segments.length ? found : undefined
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
