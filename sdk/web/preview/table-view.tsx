import './table.css'
import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { createBlocks } from '../lists/blocks.js'
import { createNearBlocks } from '../lists/near-blocks.js'
import { maxColumns, parseTable, type Table } from './parse-table.js'
import { t } from './texts.js'

const rowsInBlock = 50
/** In pixels, until rows have been seen. */
const rowHeight = 29

/** A table of a text, however many rows it has: those that are far from what is seen stand there as text. */
export function TableView(props: { readonly text: string; readonly name: string; readonly isCut: boolean }): JSX.Element {
  const table = createMemo(() => parseTable(props.text, props.name))
  /** Of a text that is cut, the last row may be half. */
  const rows = createMemo((): Table['rows'] => (props.isCut && !table().isCut ? table().rows.slice(0, -1) : table().rows))
  const width = (): number => Math.min(table().columnCount, maxColumns)
  const isWhole = (): boolean => !props.isCut && !table().isCut
  const blocks = createBlocks(rows, rowsInBlock)
  const near = createNearBlocks({ rowHeight, first: 0 })
  const [head, setHead] = createSignal<HTMLTableRowElement>()
  const keepWidths = createWidthKeeper(head)
  const fill = (body: HTMLTableSectionElement, key: number): void => {
    const block = () => blocks().get(key) ?? { items: [], start: 0 }
    near.watch(body, key, () => block().items.length)
    createEffect(() => {
      const { items, start } = block()
      const shown = near.has(key)
        ? items.map((row, index) => rowOf(row, width(), table().numeric, start + index))
        : [farRow(items, width(), near.heightOf(key, items.length))]
      body.replaceChildren(...shown)
      keepWidths()
    })
  }
  return (
    <>
      <p class="meta preview-note" role="status">
        {t(isWhole() ? 'rows' : 'first_rows', { count: rows().length })}
      </p>
      <section class="table-scroll foreign" tabindex="0" aria-label={props.name}>
        <table aria-rowcount={rows().length + 1}>
          <thead>
            <tr aria-rowindex="1" ref={setHead}>
              {Array.from({ length: width() }, (_, column) => (
                <th scope="col" classList={{ number: table().numeric[column] ?? false }}>
                  <bdi>{table().header?.[column] ?? t('column', { number: column + 1 })}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <For each={[...blocks().keys()]}>{(key) => <tbody ref={(body) => fill(body, key)} />}</For>
        </table>
      </section>
      <Show when={table().columnCount > maxColumns}>
        <p class="help">{t('columns_left_out', { count: table().columnCount - maxColumns })}</p>
      </Show>
      <Show when={!isWhole()}>
        <p class="help">{t('only_beginning')}</p>
      </Show>
    </>
  )
}

/** Columns never become narrower when rows leave, so that nothing moves sideways while a person scrolls; only when the table has less room. */
function createWidthKeeper(head: () => HTMLTableRowElement | undefined): () => void {
  let frame: number | undefined
  const forget = (): void => {
    for (const cell of head()?.cells ?? []) cell.style.removeProperty('min-inline-size')
  }
  const keep = (): void => {
    frame = undefined
    const cells = [...(head()?.cells ?? [])]
    const widths = cells.map((cell) => cell.getBoundingClientRect().width)
    for (const [column, cell] of cells.entries()) cell.style.setProperty('min-inline-size', `${widths[column]}px`)
  }
  const keepSoon = (): void => {
    frame ??= requestAnimationFrame(keep)
  }
  const resized = new ResizeObserver(() => {
    forget()
    keepSoon()
  })
  onMount(() => {
    const frameOfTable = head()?.closest('section')
    if (frameOfTable) resized.observe(frameOfTable)
  })
  createEffect(on(head, keepSoon))
  onCleanup(() => {
    resized.disconnect()
    if (frame !== undefined) cancelAnimationFrame(frame)
  })
  return keepSoon
}

/** Many rows as one, with their texts. */
function farRow(rows: Table['rows'], width: number, height: number): HTMLTableRowElement {
  const row = document.createElement('tr')
  const cell = row.insertCell()
  cell.colSpan = Math.max(1, width)
  cell.className = 'table-far'
  const text = document.createElement('div')
  text.textContent = rows.map((cells) => cells.slice(0, width).join(' \u2502 ').replaceAll(/\s+/g, ' ')).join('\n')
  text.style.setProperty('--far-height', `${height}px`)
  text.style.setProperty('--far-row', `${height / Math.max(1, rows.length)}px`)
  cell.append(text)
  return row
}

function rowOf(cells: readonly string[], width: number, numeric: readonly boolean[], place: number): HTMLTableRowElement {
  const row = document.createElement('tr')
  // Behind the row of names.
  row.setAttribute('aria-rowindex', String(place + 2))
  for (let column = 0; column < width; column += 1) {
    const cell = document.createElement('td')
    if (numeric[column]) cell.className = 'number'
    const text = document.createElement('bdi')
    text.textContent = cells[column] ?? ''
    cell.append(text)
    row.append(cell)
  }
  return row
}
