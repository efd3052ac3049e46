import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, send } from '../../api/client.js'
import { isProblem } from '../../api/problem.js'
import type { AnswerOf } from '../../api/types.js'
import { Button } from '../../ui/button.js'
import { Dialog } from '../../ui/dialog.js'
import { PasswordField } from '../../ui/field.js'
import { Failure, Skeleton } from '../../ui/states.js'
import { type Configuration, type Setting, sectionsOf, settingsOf } from './setting.js'
import { type Change, shownText } from './setting-row.js'
import { t } from './texts.js'

const [stale, setStale] = createSignal(false)

/** What would change in the file, checked as the next start would; then it is saved. */
export function Review(props: {
  readonly configuration: Configuration
  readonly changes: Readonly<Record<string, Change>>
  readonly onClose: () => void
  readonly onProblems: (problems: Readonly<Record<string, string>>) => void
  /** Reads the configuration again; the changes stay. */
  readonly onStale: () => Promise<void>
  readonly onSaved: () => void
}): JSX.Element {
  const [check, setCheck] = createSignal<AnswerOf<'post', '/api/admin/config/check'>>()
  const [failure, setFailure] = createSignal<unknown>()
  const [confirming, setConfirming] = createSignal(false)
  const [password, setPassword] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const all = sectionsOf(props.configuration).flatMap(({ value }) => settingsOf(props.configuration, value))
  const changed = (): readonly Setting[] => all.filter(({ path }) => props.changes[path] !== undefined)
  const body = () => ({
    set: Object.fromEntries(Object.entries(props.changes).flatMap(([path, each]) => (each === 'reset' ? [] : [[path, each.value]]))),
    reset: Object.keys(props.changes).filter((path) => props.changes[path] === 'reset'),
  })
  const examine = async (): Promise<void> => {
    try {
      const found = await api.post('/api/admin/config/check', { body: body() })
      setCheck(found)
      props.onProblems(Object.fromEntries(found.problems.map(({ path, message }) => [path, message])))
    } catch (error) {
      setFailure(error)
    }
  }
  void examine()
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      if (confirming()) await api.post('/api/auth/confirm', { body: { password: password() } })
      const headers = { 'if-match': `"${props.configuration.revision}"` }
      await send('patch', '/api/admin/config', { body: body(), headers })
      setStale(false)
      props.onSaved()
    } catch (error) {
      if (isProblem(error, 'confirmation_required')) return void setConfirming(true)
      if (isProblem(error, 'stale_config')) {
        setStale(true)
        return await props.onStale()
      }
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const close = (): void => {
    setStale(false)
    props.onClose()
  }
  const after = (setting: Setting): string => {
    const change = props.changes[setting.path]
    if (change === undefined || change === 'reset') return t('reset_value')
    return shownText({ kind: setting.kind, value: change.value })
  }
  return (
    <Dialog title={confirming() ? t('confirm_title') : t('review_title')} wide onClose={close}>
      <form onSubmit={(event) => void save(event)}>
        <Show when={stale()}>
          <p role="status">{t('stale')}</p>
        </Show>
        <ul class="settings-diff">
          <For each={changed()}>
            {(setting) => (
              <li>
                <bdi>{setting.path}</bdi>
                <del>- {shownText(setting)}</del>
                <ins>+ {after(setting)}</ins>
              </li>
            )}
          </For>
        </ul>
        <Show when={check()} fallback={<Show when={!failure()}>{<Skeleton lines={2} />}</Show>}>
          {(found) => (
            <>
              <Show when={found().problems.length > 0}>
                <p class="help err">{t('problems')}</p>
                <For each={found().problems}>
                  {({ path, message }) => (
                    <p class="help err">
                      {path}: {message}
                    </p>
                  )}
                </For>
              </Show>
              <For each={found().overlaps}>{({ custom, typed }) => <p class="help">{t('overlap', { custom, typed })}</p>}</For>
            </>
          )}
        </Show>
        <Show when={confirming()}>
          <p>{t('confirm_text')}</p>
          <PasswordField label={t('password')} autocomplete="current-password" value={password()} onInput={setPassword} />
        </Show>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <footer>
          <Button kind="quiet" onClick={close}>
            {t('keep')}
          </Button>
          <Button kind="main" type="submit" busy={busy()} disabled={(check()?.problems.length ?? 1) > 0}>
            {confirming() ? t('confirm') : t('save', { count: Object.keys(props.changes).length })}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
