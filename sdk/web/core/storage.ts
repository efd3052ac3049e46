import { ownName } from './base.js'

/**
 * What a browser remembers about this device's display: theme, language, folded groups. Never a
 * credential or a text of a person. Without storage, as in some private windows, it is kept until
 * the page is left.
 */
const kept = new Map<string, string>()

const nameOf = (key: string): string => ownName(`console.${key}`)

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

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(nameOf(key)) ?? kept.get(key)
  } catch {
    return kept.get(key)
  }
}
