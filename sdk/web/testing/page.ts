/**
 * Makes a page in Node, as it is loaded: what the kit looks at while it is loaded has to be there before. Built tests import it
 * first. The document is one of happy-dom; what it lacks of a browser, and the kit uses, stands in `stand-ins.ts`.
 */
import { type DomWindow, Window } from './dom-library.js'
import { addDialogs, addLocks, addPopovers, addSight, mendSelects } from './stand-ins.js'

/** Where the page is before a test says so. The name is in no zone of the net. */
const pageUrl = 'http://console.test/'

/**
 * What Node has too, and yet comes from the page: an event is one of the document it is sent to. All else that both have is
 * Node's, such as `fetch` with its answers, `URL`, `File` and `AbortSignal`.
 */
const ofPage: ReadonlySet<string> = new Set(['CustomEvent', 'Event', 'EventTarget', 'navigator'])

const page = new Window({ url: pageUrl, width: 1280, height: 800 })

takeOver(page)
addDialogs(page.document)
addPopovers(page.document)
addLocks(page.navigator)
addSight()
mendSelects()
quietChannels()

/** Makes everything of the page global, as it is in a browser. */
function takeOver(source: DomWindow): void {
  const isWanted = (name: string): boolean => ofPage.has(name) || !(name in globalThis)
  for (const name of namesOf(source).filter(isWanted)) {
    const isFunction = typeof source[name] === 'function' && !/^[A-Z]/.test(name)
    const value = isFunction ? (source[name] as (...values: unknown[]) => unknown).bind(source) : undefined
    Object.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: true,
      get: () => value ?? source[name],
      set: (next: unknown) =>
        Object.defineProperty(globalThis, name, { configurable: true, enumerable: true, writable: true, value: next }),
    })
  }
  Object.defineProperty(globalThis, 'window', { configurable: true, value: source })
  Object.defineProperty(source.navigator, 'languages', { configurable: true, value: ['en-GB', 'en', 'de'] })
}

function namesOf(source: object): readonly string[] {
  const names = new Set<string>()
  for (let level = source; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level) as object)
    for (const name of Object.getOwnPropertyNames(level)) if (name !== 'constructor' && !name.startsWith('_')) names.add(name)
  return [...names]
}

/** A channel between tabs keeps no test process alive. */
function quietChannels(): void {
  const Channel = globalThis.BroadcastChannel
  globalThis.BroadcastChannel = class extends Channel {
    constructor(name: string) {
      super(name)
      ;(this as unknown as { unref(): void }).unref()
    }
  }
}
