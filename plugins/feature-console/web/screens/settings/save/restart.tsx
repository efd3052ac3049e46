import { createSignal, For, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { api } from '../../../api/client.js'
import { isProblem } from '../../../api/problem.js'
import { Button } from '../../../ui/button.js'
import { Mark } from '../../../ui/mark.js'
import { showToast } from '../../../ui/notices.js'
import { errorText, Failure } from '../../../ui/states.js'
import type { Finding } from '../model/findings.js'
import type { Configuration } from '../model/schema.js'
import { t } from '../words/texts.js'

type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'restarting' }
  | { readonly name: 'refused'; readonly problems: readonly Finding[] }
  | { readonly name: 'failed'; readonly error: unknown }
  | { readonly name: 'lost' }

const lookEveryMs = 700
const maxWaitMs = 150_000

/**
 * What a restart would change, the button for it, and what came of it. It goes when the
 * configuration is in effect, whoever restarted the service.
 */
export function RestartBar(props: {
  readonly configuration: Configuration
  /** The settings that wait for a restart. */
  readonly pending: readonly string[]
  /** Names a setting, and goes to it when it is chosen. */
  readonly link: (path: string) => JSX.Element
  /** Takes a configuration that was read while waiting. */
  readonly onRead: (configuration: Configuration) => void
}): JSX.Element {
  const [phase, setPhase] = createSignal<Phase>({ name: 'idle' })
  const [isOpen, setOpen] = createSignal(false)
  const gone = new AbortController()
  onCleanup(() => gone.abort())
  const count = () => props.pending.length
  const wait = async (): Promise<void> => {
    setPhase({ name: 'restarting' })
    const found = await untilInEffect(gone.signal)
    if (gone.signal.aborted) return
    if (!found) return void setPhase({ name: 'lost' })
    setPhase({ name: 'idle' })
    setOpen(false)
    props.onRead(found)
    showToast(t('restarted'))
  }
  const restart = async (): Promise<void> => {
    setPhase({ name: 'restarting' })
    try {
      await api.post('/api/admin/restart')
    } catch (error) {
      if (!isProblem(error, 'restart_refused')) return void setPhase({ name: 'failed', error })
      const problems = error.errors.map(({ path, message }) => ({ path, message }))
      return void setPhase({ name: 'refused', problems })
    }
    await wait()
  }
  const needed = () => props.configuration.restart_required || phase().name !== 'idle'
  const refused = () => {
    const current = phase()
    return current.name === 'refused' ? current : undefined
  }
  const failed = () => {
    const current = phase()
    return current.name === 'failed' ? current : undefined
  }
  return (
    <Show when={needed()}>
      <section class="settings-bar" classList={{ danger: refused() !== undefined || failed() !== undefined }} aria-live="polite">
        <div class="settings-bar-line">
          <Switch>
            <Match when={phase().name === 'restarting'}>
              <Mark name="run" />
              <p class="grow">{t('restarting')}</p>
            </Match>
            <Match when={phase().name === 'lost'}>
              <Mark name="warn" />
              <p class="grow">{t('restart_lost')}</p>
              <Button size="small" icon="refresh" onClick={() => void wait()}>
                {t('look_again')}
              </Button>
            </Match>
            <Match when={phase().name !== 'restarting'}>
              <Mark name={refused() || failed() ? 'fail' : 'warn'} />
              <p class="grow">
                <b>{refused() ? t('refused') : count() > 0 ? t('restart_text', { count: count() }) : t('restart_text_any')}</b>{' '}
                <Show when={!refused()}>{t('restart_running')}</Show>
              </p>
              <Show when={count() > 0 && !refused()}>
                <Button kind="quiet" size="small" expanded={isOpen()} controls="settings-pending" onClick={() => setOpen((now) => !now)}>
                  {isOpen() ? t('pending_hide') : t('pending_show')}
                </Button>
              </Show>
              <Button size="small" icon="refresh" onClick={() => void restart()}>
                {t('restart')}
              </Button>
            </Match>
          </Switch>
        </div>
        <Show when={refused()}>
          {(current) => (
            <div class="settings-bar-more" role="alert">
              <p>{t('refused_text')}</p>
              <FindingList findings={current().problems} link={props.link} />
              <Show when={current().problems.some(({ path }) => path === '')}>
                <p>{t('file_unreadable', { file: props.configuration.file })}</p>
              </Show>
            </div>
          )}
        </Show>
        <Show when={failed()}>{(current) => <Failure error={new Error(`${t('restart_failed')} ${errorText(current().error)}`)} />}</Show>
        <Show when={isOpen() && phase().name === 'idle'}>
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

/**
 * Reads the configuration until the running service uses the file. `undefined` if that takes too
 * long: a service that drains waits for running work.
 */
async function untilInEffect(signal: AbortSignal): Promise<Configuration | undefined> {
  const end = Date.now() + maxWaitMs
  while (Date.now() < end && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    try {
      const found = await api.get('/api/admin/config', { signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) })
      if (!found.restart_required) return found
    } catch (error) {
      // A body that breaks off, or takes too long, is not a problem of the service's making.
      if (!isProblem(error) && !(error instanceof DOMException || error instanceof TypeError)) throw error
    }
  }
  return undefined
}
