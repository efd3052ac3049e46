import './lists.css'
import { createMemo, For, type JSX, onMount, Show } from 'solid-js'
import { addListKeys } from '../ui/list-keys.js'
import { createBlocks } from './blocks.js'
import { createNearBlocks } from './near-blocks.js'

const rowsInBlock = 50

/**
 * The rows of a list that may have thousands. Those near what is seen are in the page as elements, all others as one text for fifty
 * rows: the search of the browser and assistive technology find them, and they become rows when they come near. A row that is in use
 * stays. Every row says its place in the whole list.
 *
 * @example
 * <VirtualRows items={models()} label={t('models')} text={(model) => model.name}>
 *   {(model) => <span class="item">{model.name}</span>}
 * </VirtualRows>
 */
export function VirtualRows<Item>(props: {
  /** In order. What is the same object stays the same row. */
  readonly items: readonly Item[]
  /** What the rows are, for assistive technology. */
  readonly label: string
  /** The words of a row in one line: what is found while the row is not in the page, and by typing its first letters. */
  readonly text: (item: Item) => string
  /** The height of a row in pixels, about; it counts until rows have been seen. Default: 44. */
  readonly rowHeight?: number
  /** Classes of the lists that the rows are in. Default: `rows`. */
  readonly class?: string
  /** Classes of each row. */
  readonly rowClass?: string
  /** Begins with the end, which is always there: for what grows at its end. Default: false. */
  readonly fromEnd?: boolean
  /**
   * A selector of what has the focus in a row, such as `button`: arrows, Home, End and first letters then lead from row to row, also to
   * those that are not in the page. Default: the keys are the browser's.
   */
  readonly entry?: string
  readonly children: (item: Item) => JSX.Element
}): JSX.Element {
  let list: HTMLElement | undefined
  const blocks = createBlocks(() => props.items, rowsInBlock)
  const keys = createMemo(() => [...blocks().keys()])
  const near = createNearBlocks({ rowHeight: props.rowHeight ?? 44, first: (props.fromEnd ? keys().at(-1) : keys()[0]) ?? 0 })
  /** A short list is always there; what grows at its end is seen there at once. */
  const isNear = (key: number): boolean =>
    near.has(key) || props.items.length <= rowsInBlock || (props.fromEnd === true && key === keys().at(-1))
  const rowAt = (place: number): HTMLElement | null | undefined => list?.querySelector<HTMLElement>(`[aria-posinset="${place + 1}"]`)
  const go = (place: number): void => {
    const [key] = [...blocks()].find(([, { start, items }]) => place < start + items.length) ?? []
    if (key !== undefined) near.bring(key)
    rowAt(place)
      ?.querySelector<HTMLElement>(props.entry ?? '')
      ?.focus()
  }
  onMount(() => {
    if (!list || props.entry === undefined) return
    addListKeys(list, {
      count: () => props.items.length,
      labelOf: (place) => textOf(props.items[place]),
      current: () => Number(document.activeElement?.closest('[aria-posinset]')?.getAttribute('aria-posinset') ?? 0) - 1,
      go,
    })
  })
  const textOf = (item: Item | undefined): string => (item === undefined ? '' : props.text(item).replaceAll(/\s+/g, ' '))
  return (
    // biome-ignore lint/a11y/useSemanticElements: one list for assistive technology, whose rows are in several elements
    <div
      role="list"
      aria-label={props.label}
      ref={(element) => {
        list = element
      }}
    >
      <For each={keys()}>
        {(key) => {
          const items = () => blocks().get(key)?.items ?? []
          return (
            <ul class={props.class ?? 'rows'} role="presentation" ref={(element) => near.watch(element, key, () => items().length)}>
              <Show
                when={isNear(key)}
                fallback={
                  <li
                    class="virtual-far"
                    role="presentation"
                    style={{
                      '--far-height': `${near.heightOf(key, items().length)}px`,
                      '--far-row': `${near.heightOf(key, items().length) / Math.max(1, items().length)}px`,
                    }}
                  >
                    {items().map(textOf).join('\n')}
                  </li>
                }
              >
                <For each={items()}>
                  {(item, index) => (
                    <li
                      class={props.rowClass}
                      // biome-ignore lint/a11y/noRedundantRoles: the element around it is no list
                      role="listitem"
                      aria-setsize={props.items.length}
                      aria-posinset={(blocks().get(key)?.start ?? 0) + index() + 1}
                    >
                      {props.children(item)}
                    </li>
                  )}
                </For>
              </Show>
            </ul>
          )
        }}
      </For>
    </div>
  )
}
