/** Where the focus can be. */
const focusable = 'button, input, select, textarea, a[href], summary, [tabindex], [contenteditable]'

const canHaveFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.tabIndex >= 0 && !element.hasAttribute('disabled') && !element.hasAttribute('hidden')

/** The open modal dialogs of the document; the last one is on top. */
const modals: HTMLDialogElement[] = []

/**
 * Modal dialogs: the focus goes in, and back at the end; Escape asks the one on top whether it may close (`cancel`). What lies
 * behind is not taken out of reach, unlike in a browser.
 */
export function addDialogs(document: Document): void {
  const { prototype } = HTMLDialogElement
  const close = prototype.close
  prototype.showModal = function (): void {
    if (this.open) throw new Error('The dialog is open already.')
    this.setAttribute('open', '')
    modals.push(this)
    ;[...this.querySelectorAll(focusable)].find(canHaveFocus)?.focus()
  }
  prototype.close = function (result?: string): void {
    const place = modals.indexOf(this)
    if (place >= 0) modals.splice(place, 1)
    close.call(this, result)
  }
  document.addEventListener('keydown', (event) => {
    const top = modals.filter(({ isConnected }) => isConnected).at(-1)
    if (event.key !== 'Escape' || event.defaultPrevented || !top || openPopovers(document).length > 0) return
    if (top.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close()
  })
}

/** The attribute that an open popover has here, where no style of the browser hides the closed ones. */
const shown = 'data-popover-shown'

const openPopovers = (document: Document): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[${shown}]`)]

/** Popovers: closed ones are not shown; of those with `popover="auto"` a press elsewhere and Escape close all. */
export function addPopovers(document: Document): void {
  document.head.append(Object.assign(document.createElement('style'), { textContent: `[popover]:not([${shown}]) { display: none }` }))
  const { prototype } = HTMLElement
  prototype.showPopover = function (): void {
    change(this, true)
  }
  prototype.hidePopover = function (): void {
    change(this, false)
  }
  prototype.togglePopover = function (): boolean {
    change(this, !this.hasAttribute(shown))
    return this.hasAttribute(shown)
  }
  const closeAll = (event: Event): void => {
    for (const popover of openPopovers(document))
      if (popover.getAttribute('popover') === 'auto' && !(event.type === 'pointerdown' && popover.contains(event.target as Node)))
        popover.hidePopover()
  }
  document.addEventListener('pointerdown', closeAll)
  document.addEventListener('keydown', (event) => event.key === 'Escape' && closeAll(event))
}

function change(popover: HTMLElement, isOpen: boolean): void {
  if (popover.hasAttribute(shown) === isOpen) return
  popover.toggleAttribute(shown, isOpen)
  const [oldState, newState] = isOpen ? ['closed', 'open'] : ['open', 'closed']
  popover.dispatchEvent(Object.assign(new Event('toggle'), { oldState, newState }))
}

type Select = (this: HTMLSelectElement, chosen?: HTMLOptionElement) => void

/** Of several options that say that they are selected, the last one is. happy-dom 21 takes the place among them for that in the list. */
export function mendSelects(): void {
  const prototype = HTMLSelectElement.prototype as unknown as Record<symbol, Select>
  const update = Object.getOwnPropertySymbols(prototype).find(({ description }) => description === 'updateSelectedness')
  const original = update && prototype[update]
  if (!original) return
  prototype[update] = function (chosen) {
    const last = this.multiple ? undefined : [...this.options].filter(({ selected }) => selected).at(-1)
    original.call(this, chosen ?? last)
  }
}

/** The ends of those who hold a lock or wait for it, by its name. */
const ends = new Map<string, Promise<unknown>>()

/** Locks of the one page that there is: each is held by one at a time, in the order in which they asked for it. */
export function addLocks(navigator: object): void {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request: requestLock } })
}

async function requestLock(name: string, { ifAvailable, signal }: LockOptions, run: (lock: Lock | null) => unknown): Promise<void> {
  const before = ends.get(name)
  if (ifAvailable && before) return void (await run(null))
  let end = (): void => undefined
  const all = Promise.all([before, new Promise<void>((resolve) => (end = resolve))])
  ends.set(name, all)
  // One that gives up leaves the lock to those before it.
  void all.then(() => ends.get(name) === all && ends.delete(name))
  try {
    await Promise.race([...(signal ? [aborted(signal)] : []), before])
    await run({ name, mode: 'exclusive' })
  } finally {
    end()
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** What is watched for coming into sight, by element. */
const watched = new Map<Element, Set<IntersectionObserver>>()
const calls = new WeakMap<IntersectionObserver, IntersectionObserverCallback>()

/** Nothing is drawn, so nothing comes into sight, until {@link bringIntoSight} says so. */
export function addSight(): void {
  globalThis.IntersectionObserver = Sight
}

class Sight implements IntersectionObserver {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = []

  constructor(call: IntersectionObserverCallback) {
    calls.set(this, call)
  }

  observe(element: Element): void {
    watched.set(element, (watched.get(element) ?? new Set()).add(this))
  }

  unobserve(element: Element): void {
    watched.get(element)?.delete(this)
  }

  disconnect(): void {
    for (const observers of watched.values()) observers.delete(this)
  }

  takeRecords(): IntersectionObserverEntry[] {
    return []
  }
}

/**
 * Tells those who watch an element, something in it, or what it is in, that it has come into sight, as scrolling there does; with
 * `isInSight: false`, that it has gone out of sight.
 */
export function bringIntoSight(element: Element, isInSight = true): void {
  for (const [target, observers] of watched) {
    if (!element.contains(target) && !target.contains(element)) continue
    const entry = { target, isIntersecting: isInSight, intersectionRatio: isInSight ? 1 : 0 } as unknown as IntersectionObserverEntry
    for (const observer of [...observers]) calls.get(observer)?.([entry], observer)
  }
}

/** Forgets what a test left open. */
export function resetStandIns(): void {
  modals.length = 0
  ends.clear()
  watched.clear()
}
