import { Button, IconButton, Mark } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createSignal, type JSX, Show } from 'solid-js'
import type { Editing } from '../../settings/save/editing.js'
import { FindingList } from '../../settings/save/restart.js'
import { t } from '../../settings/words/texts.js'

/** What is wrong with the file as it is; nothing once it is being edited. */
export const WrongNow = (props: {
  readonly configuration: Configuration
  readonly editing: Editing
  readonly link: (path: string) => JSX.Element
}): JSX.Element => (
  <Show when={props.configuration.problems.length > 0 && props.editing.count() === 0}>
    <section class="settings-bar danger" role="alert">
      <div class="settings-bar-line">
        <Mark name="fail" />
        <b>{t('problems_now')}</b>
      </div>
      <div class="settings-bar-more">
        <FindingList findings={props.configuration.problems} link={props.link} />
      </div>
    </section>
  </Show>
)

/** Says which changes an earlier page left, and which secrets have to be typed again. */
export function Restored(props: { readonly editing: Editing }): JSX.Element {
  const { store, count } = props.editing
  const [isNoticed, setNoticed] = createSignal(false)
  return (
    <Show when={(store.wasRestored() || store.lostSecrets().length > 0) && !isNoticed()}>
      <section class="settings-bar note" role="status">
        <div class="settings-bar-line">
          <Mark name="next" />
          <p class="grow">
            <Show when={count() > 0}>{t('restored', { count: count() })}</Show>{' '}
            <Show when={store.lostSecrets().length > 0}>{t('lost_secrets', { names: store.lostSecrets().join(', ') })}</Show>
          </p>
          <IconButton icon="x" size="small" name={t('close')} onClick={() => setNoticed(true)} />
        </div>
      </section>
    </Show>
  )
}

/** How many changes there are, and what to do with them. */
export const ChangesFoot = (props: { readonly editing: Editing; readonly broken: number }): JSX.Element => (
  <Show when={props.editing.count() > 0}>
    <section class="settings-foot" aria-label={t('changed_here')}>
      <Mark name={props.broken > 0 ? 'fail' : 'next'} />
      <span class="grow">
        {t('changes_count', { count: props.editing.count() })}
        <Show when={props.broken > 0}>{`, ${t('fix', { count: props.broken })}`}</Show>
      </span>
      <Button kind="quiet" onClick={() => void props.editing.discard()}>
        {t('discard')}
      </Button>
      <Button kind="main" onClick={() => props.editing.setReviewing(true)}>
        {t('review', { count: props.editing.count() })}
      </Button>
    </section>
  </Show>
)
