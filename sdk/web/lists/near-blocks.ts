import { type Accessor, createSelector, createSignal, onCleanup } from 'solid-js'

/** How far from what is seen, in pixels, rows are in the page. */
const reach = '1000px 0px'
/** What a person is at, or what would not come back as it was. */
const inUse = ':focus, :popover-open, details[open], [aria-expanded="true"], audio, video'

/** Which blocks of a list have their rows in the page. */
export interface NearBlocks {
  readonly has: (key: number) => boolean
  /** The height of a block in pixels while its rows are away: as it was last, or as many rows have. */
  readonly heightOf: (key: number, rows: number) => number
  /** Follows a block from now on; it ends with the component that is made. */
  readonly watch: (element: Element, key: number, rows: Accessor<number>) => void
  /** Puts the rows of a block into the page at once. */
  readonly bring: (key: number) => void
}

/**
 * Follows which blocks are near what is seen, whatever it is that scrolls. A block in use stays, and its neighbours do as well, so that
 * Tab leads on to them.
 * @param rowHeight what a row is taken for until one has been seen
 * @param first the block that is there from the start
 */
export function createNearBlocks({ rowHeight, first }: { readonly rowHeight: number; readonly first: number }): NearBlocks {
  const [near, setNear] = createSignal<ReadonlySet<number>>(new Set([first]))
  const isNear = createSelector<ReadonlySet<number>, number>(near, (key, keys) => keys.has(key))
  /** Of a row of each block, as it was last. */
  const rowHeights = new Map<number, number>()
  const watched = new Map<Element, { readonly key: number; readonly rows: Accessor<number> }>()
  const seen = new Set<number>()
  /** Of the first row that was seen: the length of the whole is about right before anybody goes to its end. */
  const [typical, setTypical] = createSignal<number>()
  const note = (element: Element, height: number): void => {
    const block = watched.get(element)
    if (!block || !near().has(block.key)) return
    const ofRow = height / Math.max(1, block.rows())
    rowHeights.set(block.key, ofRow)
    setTypical((before) => before ?? ofRow)
  }
  const update = (): void => {
    const used = [...watched].filter(([element]) => isInUse(element)).flatMap(([, { key }]) => [key - 1, key, key + 1])
    const next = new Set([...seen, ...used])
    if (next.size !== near().size || [...next].some((key) => !near().has(key))) setNear(next)
  }
  const look = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting, boundingClientRect: box } of entries) {
      const block = watched.get(target)
      // Something that is not shown at all is neither near nor far.
      if (!block || box.height === 0) continue
      note(target, box.height)
      if (isIntersecting) seen.add(block.key)
      else seen.delete(block.key)
    }
    update()
  }
  // `scrollMargin` is for what scrolls within the page. Without it, rows come when they are seen instead of a moment before.
  const options: IntersectionObserverInit & { readonly scrollMargin: string } = { rootMargin: reach, scrollMargin: reach }
  const observer = new IntersectionObserver(look, options)
  const onFocus = (): void => update()
  document.addEventListener('focusin', onFocus)
  onCleanup(() => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
  })
  return {
    has: isNear,
    heightOf: (key, rows) => (rowHeights.get(key) ?? typical() ?? rowHeight) * rows,
    watch(element, key, rows) {
      watched.set(element, { key, rows })
      observer.observe(element)
      onCleanup(() => {
        observer.unobserve(element)
        watched.delete(element)
        rowHeights.delete(key)
        seen.delete(key)
      })
    },
    bring: (key) => void setNear((before) => new Set([...before, key])),
  }
}

const isInUse = (element: Element): boolean => element.matches(inUse) || element.querySelector(inUse) !== null
