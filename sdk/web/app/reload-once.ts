import { MissingPartError } from '../core/load-part.js'

const reloadedKey = 'console.reloaded'
let held = 0

/** Keeps the page from being loaded again by itself, such as during an upload. Returns the undo. */
export function keepPage(): () => void {
  held += 1
  let isKept = true
  return () => {
    if (isKept) held -= 1
    isKept = false
  }
}

/**
 * For a screen whose file is missing: the page is from before an update, so it is loaded again at the
 * address that was asked for. Once for each version of the page, so that a file that is really missing
 * is no loop, and not where the browser cannot remember that. Then it does not come back.
 * @throws what it is given, if loading again does not help or would lose something
 */
export async function reloadFor(error: unknown): Promise<never> {
  if (!(error instanceof MissingPartError) || held > 0 || !(await isServed()) || !rememberReload()) throw error
  location.reload()
  return new Promise<never>(() => undefined)
}

/** Whether the service answers with a page: without it, loading again would lose this one. */
async function isServed(): Promise<boolean> {
  try {
    const response = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } })
    return response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html')
  } catch {
    return false
  }
}

/** False if this version of the page was loaded again before. */
function rememberReload(): boolean {
  const version = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? ''
  try {
    const before = (sessionStorage.getItem(reloadedKey) ?? '').split('\n')
    if (before.includes(version)) return false
    sessionStorage.setItem(reloadedKey, [...before, version].filter(Boolean).slice(-20).join('\n'))
    return true
  } catch {
    return false
  }
}
