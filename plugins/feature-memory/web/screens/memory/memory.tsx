import './memory.css'
import { BannerBar, Failure, Page, type Query, type ScreenProps, Skeleton, whileVisible } from '@agent-service/sdk/web'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { Background } from './background.js'
import { Known } from './known.js'
import { MemoryPage } from './memory-page.js'
import { AddMemory } from './new-memory.js'
import { createNames, createStatus, type Kind, kinds, kindsThere, type Names, type Status } from './read-memory.js'
import { t } from './texts.js'
import { Transfer } from './transfer.js'

type Tab = Kind | 'work'

/** What background work learns is reported by no event. */
const everyMs = 60_000
const addressOf = (tab: Tab): string => (tab === 'note' ? '/memory' : `/memory/${tab}`)

/** What agents know about a person: one memory, or all of them by kind. */
export default function Memory(props: ScreenProps): JSX.Element {
  const names = createNames()
  const rest = (): string => props.params['rest'] ?? ''
  const id = (): string | undefined => (rest().startsWith('item/') ? rest().slice('item/'.length) : undefined)
  const tab = (): Tab => ([...kinds, 'work'] as const).find((each) => each === rest()) ?? 'note'
  return (
    <Show when={id()} keyed fallback={<Overview tab={tab()} names={names} />}>
      {(shown) => <MemoryPage id={shown} names={names} />}
    </Show>
  )
}

const hasWork = (status: Status | undefined): boolean =>
  status !== undefined && (status.supports.sweep || status.supports.passes || status.supports.revisions)

/** On a narrow page the chosen tab may be beyond its edge. */
const reveal = (link: HTMLElement): void => queueMicrotask(() => link.scrollIntoView({ block: 'nearest', inline: 'nearest' }))

function Overview(props: { readonly tab: Tab; readonly names: Names }): JSX.Element {
  const status = createStatus()
  // The tab of short memories is always there.
  const isAvailable = createMemo(() => status.value()?.available === true)
  const there: Query<readonly Kind[]> = createQuery({
    key: () => (isAvailable() ? ['kinds'] : undefined),
    read: (signal) => kindsThere(there.value() ?? ['note'], signal),
  })
  const look = (): void => {
    void status.reload()
    void there.reload()
  }
  whileVisible(everyMs, look)
  const tabs = (): readonly Tab[] => [
    ...kinds.filter((kind) => kind === 'note' || kind === props.tab || there.value()?.includes(kind) === true),
    ...(hasWork(status.value()) || props.tab === 'work' ? (['work'] as const) : []),
  ]
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Transfer />
          <AddMemory names={props.names} />
        </>
      }
    >
      <Show when={status.error()}>{(error) => <Failure error={error()} onRetry={look} />}</Show>
      <Show when={status.value()?.available === false}>
        <BannerBar banner={{ id: 'unavailable', text: t('unavailable') }} />
      </Show>
      <Show when={status.value()?.moving}>
        <BannerBar banner={{ id: 'moving', text: t('moving'), mark: 'run' }} />
      </Show>
      <nav class="tabs memory-tabs" aria-label={t('title')}>
        <For each={tabs()}>
          {(tab) => (
            <a
              href={addressOf(tab)}
              aria-current={props.tab === tab ? 'page' : undefined}
              ref={(link) => props.tab === tab && reveal(link)}
            >
              {t(`tab_${tab}`)}
            </a>
          )}
        </For>
      </nav>
      <Show when={isAvailable()} fallback={<Show when={status.value() === undefined && !status.error()}>{<Skeleton lines={6} />}</Show>}>
        <Switch>
          <Match when={props.tab === 'work'}>
            <Background status={status.value()} names={props.names} />
          </Match>
          <Match when={props.tab !== 'work' && props.tab} keyed>
            {(kind) => <Known kind={kind} names={props.names} hasHistory={status.value()?.supports.history === true} />}
          </Match>
        </Switch>
      </Show>
    </Page>
  )
}
