import { Button, createAction, errorText, Failure, isProblem, Mark, showToast } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createApplying, readRestartWork, workText } from '@agent-service/sdk/web/host'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import type { Finding } from '../model/findings.js'
import { t } from '../words/texts.js'

/**
 * What is saved and not applied, the button that applies it, and what came of that. It goes when the
 * configuration is in effect, also if it was applied elsewhere.
 */
export function RestartBar(props: {
  readonly configuration: Configuration
  /** The settings that are not applied yet. */
  readonly pending: readonly string[]
  /** Names a setting, and goes to it when it is chosen. */
  readonly link: (path: string) => JSX.Element
  /** Takes the configuration once it is applied. */
  readonly onRead: (configuration: Configuration) => void
}): JSX.Element {
  const applying = createApplying()
  const [isOpen, setOpen] = createSignal(false)
  const work = createQuery({
    key: () => (props.configuration.restart_required ? ['restart-work'] : undefined),
    read: readRestartWork,
  })
  const count = () => props.pending.length
  const applyNow = createAction(applying.applyNow)
  const apply = createAction(async () => {
    applyNow.clear()
    await applying.apply()
    setOpen(false)
    props.onRead(await api.get('/api/admin/config'))
    showToast(t('restarted'))
  })
  const failure = (): unknown => apply.failure() ?? applyNow.failure()
  const needed = () => props.configuration.restart_required || applying.phase() !== undefined || failure() !== undefined
  const refused = (): readonly Finding[] | undefined => {
    const error = failure()
    return isProblem(error, 'restart_refused') ? error.errors : undefined
  }
  return (
    <Show when={needed()}>
      <section class="settings-bar" classList={{ danger: failure() !== undefined }} aria-live="polite">
        <div class="settings-bar-line">
          <Show
            when={applying.phase()}
            fallback={
              <>
                <Mark name={failure() ? 'fail' : 'warn'} />
                <p class="grow">
                  <b>{refused() ? t('refused') : count() > 0 ? t('restart_text', { count: count() }) : t('restart_text_any')}</b>{' '}
                  <Show when={!refused() && work.value()}>{(found) => workText(found())}</Show>
                </p>
                <Show when={count() > 0 && !refused()}>
                  <Button kind="quiet" size="small" expanded={isOpen()} controls="settings-pending" onClick={() => setOpen((now) => !now)}>
                    {isOpen() ? t('pending_hide') : t('pending_show')}
                  </Button>
                </Show>
                <Button size="small" icon="refresh" onClick={() => void apply.run()}>
                  {t('apply')}
                </Button>
              </>
            }
          >
            {(phase) => (
              <>
                <Mark name="run" />
                <p class="grow">{applying.text()}</p>
                <Show when={phase().waitsFor}>
                  <Button size="small" onClick={() => void applyNow.run()}>
                    {t('apply_now')}
                  </Button>
                </Show>
              </>
            )}
          </Show>
        </div>
        <Show when={refused()}>
          {(problems) => (
            <div class="settings-bar-more" role="alert">
              <p>{t('refused_text')}</p>
              <FindingList findings={problems()} link={props.link} />
              <Show when={problems().some(({ path }) => path === '')}>
                <p>{t('file_unreadable', { file: props.configuration.file })}</p>
              </Show>
            </div>
          )}
        </Show>
        <Show when={!refused() && failure()}>
          {(error) => <Failure error={new Error(`${t('restart_failed')} ${errorText(error())}`)} />}
        </Show>
        <Show when={isOpen() && !applying.phase() && !failure()}>
          <ul class="settings-bar-more" id="settings-pending">
            <For each={props.pending}>{(path) => <li>{props.link(path)}</li>}</For>
          </ul>
        </Show>
      </section>
    </Show>
  )
}

/** Problems of a configuration, each with the way to its setting. */
export const FindingList = (props: {
  readonly findings: readonly Finding[]
  readonly link: (path: string) => JSX.Element
}): JSX.Element => (
  <ul class="settings-findings">
    <For each={props.findings}>
      {({ path, message }) => (
        <li>
          <Show when={path !== ''}>
            {props.link(path)} <bdi class="mono meta settings-key">{path}</bdi>
            {': '}
          </Show>
          <span lang="en">{message}</span>
        </li>
      )}
    </For>
  </ul>
)
