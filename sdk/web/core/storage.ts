import { ownName } from './base.js'

/** What stands in for storage where there is none, as in some private windows. */
const kept = new Map<string, string>()

const nameOf = (key: string): string => ownName(`console.${key}`)

/**
 * Lets the browser remember something about the display on this device, such as folded groups; `undefined` forgets it. Never a
 * credential or a text of a person: everybody at this device shares it. Begin the key with the name of the screen. Without storage,
 * as in some private windows, it is kept until the page is left.
 */
export function remember(key: string, value: string | undefined): void {
  if (value === undefined) kept.delete(key)
  else kept.set(key, value)
  try {
    if (value === undefined) localStorage.removeItem(nameOf(key))
    else localStorage.setItem(nameOf(key), value)
  } catch {
    return
  }
}

/** What {@link remember} was given on this device; `undefined` if there is nothing. */
export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(nameOf(key)) ?? kept.get(key)
  } catch {
    return kept.get(key)
  }
}
