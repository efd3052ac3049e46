/** A file of the console could not be loaded: the network is away, or an update has replaced it. */
export class MissingPartError extends Error {
  constructor(options: ErrorOptions) {
    super('A part of the console could not be loaded.', options)
    this.name = 'MissingPartError'
  }
}

/** Before each further attempt, in milliseconds; at once when the network comes back. */
const pausesMs = [200, 1_000, 2_000]

/** How Chromium, Firefox and WebKit say that a module did not arrive, and Vite that a style did not. */
const notArrived = /dynamically imported module|importing a module script failed|not a valid javascript mime type|unable to preload css/i

/**
 * Loads a part of the console that is a file of its own, with several attempts.
 * `load` is nothing but the `import()`: an error that the module itself throws is thrown at once.
 * @throws {MissingPartError} if the file does not come
 *
 * @example
 * const { readTable } = await loadPart(() => import('./read-table.js'))
 */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  watchStyles()
  let cause = await load().catch(asMissing)
  for (const pauseMs of pausesMs) {
    if (!(cause instanceof MissingCause)) return cause
    await pauseOrOnline(pauseMs)
    cause = await tryAgain(load, cause).catch(asMissing)
  }
  if (!(cause instanceof MissingCause)) return cause
  throw new MissingPartError({ cause: cause.error })
}

/** Why a file did not come, unlike what a module exports. */
class MissingCause {
  readonly error: Error

  constructor(error: Error) {
    this.error = error
  }
}

function asMissing(error: unknown): MissingCause {
  if (error instanceof Error && notArrived.test(error.message)) return new MissingCause(error)
  throw error
}

/** Counts the further attempts of this page, so that each has an address of its own. */
let attempts = 0

/**
 * Until 2026 browsers kept a failure under its address as long as the page lived, so that only an
 * address which has not failed yet is asked for again. What a file itself imports keeps its address:
 * if that failed there, only loading the page again helps.
 */
async function tryAgain<Module>(load: () => Promise<Module>, { error }: MissingCause): Promise<Module> {
  await loadStylesAgain()
  const [address] = /https?:\/\/[^\s'"?]+\.js/.exec(error.message) ?? []
  if (address === undefined || new URL(address).origin !== location.origin) return load()
  attempts += 1
  return import(/* @vite-ignore */ `${address}?again=${attempts}`) as Promise<Module>
}

const failedStyles = new Set<HTMLLinkElement>()
let isWatching = false

/** Notes the styles that do not arrive. Those that are still on their way are waited for by somebody, and stay. */
function watchStyles(): void {
  if (isWatching) return
  isWatching = true
  const note = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  }
  document.addEventListener('error', note, { capture: true })
}

/** Whether a style did not arrive. */
export const hasFailed = (link: HTMLLinkElement): boolean => failedStyles.has(link)

/** Vite asks for each style once; one that failed stays in the page. */
async function loadStylesAgain(): Promise<void> {
  const failed = [...failedStyles].filter((link) => link.isConnected)
  failedStyles.clear()
  await Promise.all(failed.map(replaceStyle))
}

/** Whether a style has arrived. */
export function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return (sheet?.cssRules.length ?? 0) > 0
  } catch {
    // Browsers do not let a page read into an answer that never came.
    return false
  }
}

function replaceStyle(failed: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = document.createElement('link')
    next.rel = 'stylesheet'
    next.crossOrigin = failed.crossOrigin
    next.href = failed.href
    next.addEventListener('load', () => resolve())
    next.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${failed.href}`)))
    failed.replaceWith(next)
  })
}

function pauseOrOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    addEventListener('online', done)
  })
}
