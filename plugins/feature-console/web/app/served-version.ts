import { placed } from '@agent-service/sdk/web'
import { MissingPartError } from '@agent-service/sdk/web/host'

let isOutdated = false

/**
 * Asks whether the service has another console than this page is of, such as after an update. Files that are loaded then may not fit
 * those that are here: a part of the kit of another version would bring signals and a client of its own.
 */
export async function compareVersions(): Promise<void> {
  try {
    const response = await fetch(placed('/'), { cache: 'no-store', headers: { accept: 'text/html' } })
    if (response.ok) isOutdated = isAnother(await response.text())
  } catch {
    // Not reached: it is asked again when the connection is back.
  }
}

function isAnother(page: string): boolean {
  const served = /<script type="module"[^>]*\ssrc="([^"]+)"/.exec(page)?.[1]
  const own = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src
  return served !== undefined && own !== undefined && new URL(served, location.href).href !== own
}

/** Loads a screen of the version that this page is of. @throws {MissingPartError} if the service has another one: the page is to be loaded again */
export async function loadOfThisVersion<Module>(load: () => Promise<Module>): Promise<Module> {
  if (isOutdated) throw new MissingPartError({ cause: new Error('The service has another version of the console.') })
  return load()
}
