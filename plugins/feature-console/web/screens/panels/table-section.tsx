import type { PanelMember, PanelTable } from '@agent-service/sdk/contracts/console-panel'
import { ApiProblem, Button, Failure, type QueryPage, Skeleton, commonText as ui } from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { createPagedQuery } from '../../api/index.js'
import { ActionButton } from './action-button.js'
import { isNumeric, memberText } from './member-text.js'
import { callOwnRoute, memberOf } from './own-routes.js'
import { dataKey, panelText } from './panel.js'
import type { SectionProps } from './section-props.js'
import { t } from './texts.js'

/** A table of rows that a route of the plugin lists, page by page. */
export function TableSection(props: SectionProps<PanelTable>): JSX.Element {
  const { panel, section } = props
  const list = createPagedQuery<unknown>({
    key: () => [...dataKey(panel), section.source, section.key],
    read: async (cursor, signal) => pageOf(await callOwnRoute(panel, 'GET', section.source, { query: { limit: 50, cursor }, signal })),
    idOf: (row) => String(memberOf(row, section.key)),
  })
  const actions = section.actions ?? []
  return (
    <>
      <Show when={list.items().length > 0}>
        <section class="table-wrap" tabindex="0" aria-label={panelText(section.title)}>
          <table class="tbl panels-table">
            <thead>
              <tr>
                <For each={section.columns}>
                  {(column) => (
                    <th scope="col" classList={{ r: isNumeric(column.format) }}>
                      {panelText(column.label)}
                    </th>
                  )}
                </For>
                <Show when={actions.length > 0}>
                  <th scope="col" class="r">
                    {t('actions')}
                  </th>
                </Show>
              </tr>
            </thead>
            <tbody>
              <For each={list.items()}>
                {(row) => (
                  <tr>
                    <For each={section.columns}>{(column) => <Cell row={row} column={column} />}</For>
                    <Show when={actions.length > 0}>
                      <td class="r panels-actions">
                        <For each={actions}>{(action) => <ActionButton small panel={panel} action={action} row={row} />}</For>
                      </td>
                    </Show>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </section>
      </Show>
      <Switch>
        <Match when={list.error()}>{(error) => <Failure error={error()} onRetry={() => void list.reload()} />}</Match>
        <Match when={list.state() === 'loading' && list.items().length === 0}>
          <Skeleton lines={4} />
        </Match>
        <Match when={list.items().length === 0}>
          <p class="t2">{panelText(section.empty)}</p>
        </Match>
        <Match when={list.hasMore()}>
          <div class="more">
            <Button size="small" kind="quiet" busy={list.state() === 'loading'} onClick={() => void list.more()}>
              {ui('load_more')}
            </Button>
          </div>
        </Match>
      </Switch>
    </>
  )
}

const Cell = (props: { readonly row: unknown; readonly column: PanelMember }): JSX.Element => (
  <td classList={{ r: isNumeric(props.column.format), mono: props.column.format === 'code' }}>
    <bdi>{memberText(memberOf(props.row, props.column.member), props.column.format)}</bdi>
  </td>
)

/** A page, or a whole list. */
function pageOf(answer: unknown): QueryPage<unknown> {
  if (Array.isArray(answer)) return { items: answer, next_cursor: null }
  const items = memberOf(answer, 'items')
  const next = memberOf(answer, 'next_cursor')
  if (Array.isArray(items)) return { items, next_cursor: typeof next === 'string' ? next : null }
  throw new ApiProblem({ status: 0, code: 'unexpected_answer', detail: t('unreadable') })
}
