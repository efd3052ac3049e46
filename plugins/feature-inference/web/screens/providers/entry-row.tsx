import { Badge, Button, groupTitle, Mark, type MarkName, MenuButton, type MenuItem, whenText } from '@agent-service/sdk/web'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import type { Credential } from '../../providers/draft.js'
import { requestOfEntry } from '../../providers/draft.js'
import { createLiveTest, LiveTestResult, type TestRequest } from '../../providers/live-test.js'
import { OfferedModels } from '../../providers/offered-models.js'
import type { Entry } from '../../providers/read-providers.js'
import { t } from '../../providers/texts.js'

/** A connection with its state, where it is configured, and what can be done with it. */
export function EntryRow(props: {
  readonly entry: Entry
  readonly credential: Credential | undefined
  readonly groups: readonly string[]
  readonly onEdit: () => void
  readonly onRotate: () => void
  readonly onSwitch: () => void
  readonly onDelete: () => void
}): JSX.Element {
  const [listing, setListing] = createSignal(false)
  const test = createLiveTest()
  const request = (): TestRequest => requestOfEntry(props.entry)
  /** A custom brand is named like its connection: nothing to say twice. */
  const isOwnBrand = (): boolean => props.entry.brandName === props.entry.handle
  const address = (): string | undefined => props.entry.running?.base_url ?? textOf(props.entry.saved?.['base_url'])
  const isOwn = (): boolean => props.entry.origin === 'file'
  const items = (): readonly MenuItem[] => [
    ...(isOwn()
      ? [
          { label: t('edit'), icon: 'pencil' as const, run: props.onEdit },
          ...(props.credential ? [{ label: t('rotate'), icon: 'key' as const, run: props.onRotate }] : []),
          { label: t(props.entry.enabled ? 'disable' : 'enable'), icon: 'player-pause' as const, run: props.onSwitch },
          { label: t('delete'), icon: 'trash' as const, danger: true, run: props.onDelete },
        ]
      : []),
  ]
  return (
    <div class="item providers-item">
      <Mark name={markOf(props.entry)} label={stateText(props.entry)} />
      <span class="grow providers-words">
        <span class="row providers-name">
          <b>
            <bdi>{props.entry.handle}</bdi>
          </b>
          <OriginBadge entry={props.entry} />
          <Show when={props.credential}>
            <Badge icon="key">{t('saved_key')}</Badge>
          </Show>
        </span>
        <span class="sub">
          <bdi>{[...(isOwnBrand() ? [] : [props.entry.brandName]), ...(address() === undefined ? [] : [address()])].join(' · ')}</bdi>
        </span>
        <Show when={stateText(props.entry) !== t('ready')}>
          <span class="sub">{props.entry.running?.reason ?? stateText(props.entry)}</span>
        </Show>
        <Show when={props.groups.length > 0}>
          <span class="sub">{t('used_by', { groups: props.groups.map(groupTitle).join(', ') })}</span>
        </Show>
        <Show when={props.credential}>
          {(credential) => (
            <span class="sub">
              {credential().hint === '' ? t('key_stored') : t('key_hint', { hint: `…${credential().hint}` })}
              <Show when={credential().checked_at}>
                {(moment) => <> · {t(credential().check_ok ? 'checked_ok' : 'checked_failed', { time: whenText(moment()) })}</>}
              </Show>
            </span>
          )}
        </Show>
      </span>
      <span class="row">
        <Button
          size="small"
          busy={test.isRunning()}
          label={t('test_of', { handle: props.entry.handle })}
          onClick={() => void test.run(request())}
        >
          {t('test')}
        </Button>
        <Button size="small" label={t('models_of', { handle: props.entry.handle })} onClick={() => setListing(true)}>
          {t('models')}
        </Button>
        <Show when={items().length > 0}>
          <MenuButton size="small" name={t('actions_of', { handle: props.entry.handle })} items={items()} />
        </Show>
      </span>
      <Show when={test.isRunning() || test.result() || test.error()}>
        <LiveTestResult test={test} />
      </Show>
      <Show when={listing()}>
        <OfferedModels handle={props.entry.handle} request={request()} onClose={() => setListing(false)} />
      </Show>
    </div>
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function OriginBadge(props: { readonly entry: Entry }): JSX.Element {
  return (
    <Switch>
      <Match when={props.entry.origin === 'removed'}>
        <Badge tone="warn">{t('removed_later')}</Badge>
      </Match>
      <Match when={props.entry.origin === 'environment'}>
        <Badge icon="lock">
          {props.entry.lockedBy === undefined ? t('from_environment') : t('from_variable', { variable: props.entry.lockedBy })}
        </Badge>
      </Match>
      <Match when={!props.entry.running}>
        <Badge tone="warn">{t('added_later')}</Badge>
      </Match>
      <Match when={props.entry.origin === 'file'}>
        <Badge tone="line">{t('from_file')}</Badge>
      </Match>
    </Switch>
  )
}

function markOf({ running }: Entry): MarkName {
  switch (running?.state) {
    case 'ready':
      return 'done'
    case 'disabled':
      return 'off'
    case undefined:
      return 'pause'
    default:
      return 'warn'
  }
}

function stateText({ running }: Entry): string {
  switch (running?.state) {
    case 'ready':
      return t('ready')
    case 'disabled':
      return t('disabled')
    case 'key_missing':
      return t('failure_key_missing')
    case undefined:
      return t('waits_for_start')
    default:
      return t('unusable')
  }
}
