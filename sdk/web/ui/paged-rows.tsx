import { For, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import type { PagedQuery } from '../query/reading-pages.js'
import { Button } from './button.js'
import { Failure, Skeleton } from './states.js'
import { t } from './texts.js'

/**
 * The rows of a paged list: skeleton, empty state, failure, and more when the end comes near. The row of an item that has not
 * changed stays.
 *
 * @example
 * <PagedRows list={list} label={t('rolls')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
 *   {(roll) => <span class="grow">{roll.name}</span>}
 * </PagedRows>
 */
export function PagedRows<Item>(props: {
  readonly list: PagedQuery<Item>
  /** What the rows are, for assistive technology. */
  readonly label: string
  /** Shown once the first page has arrived without items: an {@link EmptyState}. */
  readonly empty: JSX.Element
  readonly children: (item: Item) => JSX.Element
}): JSX.Element {
  const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && void props.list.more(), {
    rootMargin: '400px',
  })
  onCleanup(() => watcher.disconnect())
  return (
    <>
      <Show when={props.list.items().length > 0}>
        <ul class="rows" aria-label={props.label}>
          <For each={props.list.items()}>{(item) => <li>{props.children(item)}</li>}</For>
        </ul>
      </Show>
      <Switch>
        <Match when={props.list.state() === 'failed'}>
          <Failure error={props.list.error()} onRetry={() => void (props.list.hasMore() ? props.list.more() : props.list.reload())} />
        </Match>
        <Match when={props.list.state() === 'loading' && props.list.items().length === 0}>
          <Skeleton lines={6} />
        </Match>
        <Match when={props.list.state() === 'ready' && props.list.items().length === 0}>{props.empty}</Match>
        <Match when={props.list.hasMore()}>
          <div class="more" ref={(element) => queueMicrotask(() => watcher.observe(element))}>
            <Button size="small" kind="quiet" busy={props.list.state() === 'loading'} onClick={() => void props.list.more()}>
              {t('load_more')}
            </Button>
          </div>
        </Match>
      </Switch>
    </>
  )
}
