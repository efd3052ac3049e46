import './table.css'
import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import { Button } from '../ui/button.js'
import { maxColumns, parseTable, type Table } from './parse-table.js'
import { t } from './texts.js'

const rowsInStep = 1_000
/** Elements that are added at once. */
const cellsInStep = 50_000

/** A table of a text: its first rows, and more on request. */
export function TableView(props: { readonly text: string; readonly name: string; readonly isCut: boolean }): JSX.Element {
  const table = createMemo(() => parseTable(props.text, props.name))
  /** Of a text that is cut, the last row may be half. */
  const rows = (): Table['rows'] => (props.isCut && !table().isCut ? table().rows.slice(0, -1) : table().rows)
  const width = (): number => Math.min(table().columnCount, maxColumns)
  const step = (): number => Math.min(rowsInStep, Math.floor(cellsInStep / Math.max(1, width())))
  const [count, setCount] = createSignal(0)
  const isWhole = (): boolean => !props.isCut && !table().isCut
  const body = document.createElement('tbody')
  const showMore = (): void => {
    const next = rows().slice(count(), count() + step())
    body.append(...next.map((row) => rowOf(row, width(), table().numeric)))
    setCount(count() + next.length)
  }
  createEffect(
    on(table, () => {
      body.replaceChildren()
      setCount(0)
      showMore()
    }),
  )
  return (
    <>
      <p class="meta preview-note" role="status">
        {t(isWhole() ? 'rows' : 'first_rows', { count: rows().length })}
      </p>
      <section class="table-scroll foreign" tabindex="0" aria-label={props.name}>
        <table>
          <thead>
            <tr>
              {Array.from({ length: width() }, (_, column) => (
                <th scope="col" classList={{ number: table().numeric[column] ?? false }}>
                  <bdi>{table().header?.[column] ?? t('column', { number: column + 1 })}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          {body}
        </table>
      </section>
      <Show when={count() < rows().length}>
        <Button size="small" onClick={showMore}>
          {t('more_rows')}
        </Button>
      </Show>
      <Show when={table().columnCount > maxColumns}>
        <p class="help">{t('columns_left_out', { count: table().columnCount - maxColumns })}</p>
      </Show>
      <Show when={!isWhole()}>
        <p class="help">{t('only_beginning')}</p>
      </Show>
    </>
  )
}

function rowOf(cells: readonly string[], width: number, numeric: readonly boolean[]): HTMLTableRowElement {
  const row = document.createElement('tr')
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
