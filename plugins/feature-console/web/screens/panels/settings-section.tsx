import '../settings/settings.css'
import { createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { createLoaded } from '../../api/loaded.js'
import { guardLeaving } from '../../app/router.js'
import { Button } from '../../ui/button.js'
import { confirmAction } from '../../ui/dialog.js'
import { BannerBar, showToast } from '../../ui/notices.js'
import { Failure, Skeleton } from '../../ui/states.js'
import { Review } from '../settings/review.js'
import { type Setting, settingsOf } from '../settings/setting.js'
import { type Change, SettingRow } from '../settings/setting-row.js'
import { t as settingsText } from '../settings/texts.js'

type Changes = Readonly<Record<string, Change>>

/** The settings of one plugin, with their sources, as the settings editor shows all of them. */
export function SettingsSection(props: { readonly path: string }): JSX.Element {
  const loaded = createLoaded((signal) => api.get('/api/admin/config', { signal }))
  const [changes, setChanges] = createSignal<Changes>({})
  const [problems, setProblems] = createSignal<Readonly<Record<string, string>>>({})
  const [reviewing, setReviewing] = createSignal(false)
  const count = (): number => Object.keys(changes()).length
  const settings = createMemo((): readonly Setting[] => {
    const configuration = loaded.value()
    const [section = ''] = props.path.split('.')
    if (!configuration) return []
    const above = props.path.split('.').length - 1
    return settingsOf(configuration, section)
      .filter(({ path }) => path === props.path || path.startsWith(`${props.path}.`))
      .map((setting) => ({ ...setting, label: setting.label.split(' › ').slice(above).join(' › ') }))
  })
  const leave = () =>
    count() === 0 ||
    confirmAction({ title: settingsText('discard'), text: settingsText('review', { count: count() }), action: settingsText('discard') })
  onCleanup(guardLeaving(leave))
  const change = (path: string, next: Change | undefined): void => {
    setChanges(({ [path]: _, ...rest }) => (next === undefined ? rest : { ...rest, [path]: next }))
    setProblems(({ [path]: _, ...rest }) => rest)
  }
  const saved = (): void => {
    setReviewing(false)
    setChanges({})
    setProblems({})
    showToast(settingsText('saved'))
    void loaded.reload()
  }
  return (
    <div class="panels-form">
      <Show when={loaded.error()}>{(error) => <Failure error={error()} onRetry={() => void loaded.reload()} />}</Show>
      <Show when={loaded.value()} fallback={<Show when={!loaded.error()}>{<Skeleton lines={4} />}</Show>}>
        {(current) => (
          <>
            <Show when={current().restart_required}>
              <BannerBar banner={{ id: 'restart', text: settingsText('restart_text') }} />
            </Show>
            <For each={settings()}>
              {(setting) => (
                <SettingRow
                  setting={setting}
                  change={changes()[setting.path]}
                  error={problems()[setting.path]}
                  onChange={(next) => change(setting.path, next)}
                />
              )}
            </For>
            <Show when={count() > 0}>
              <div class="form-foot">
                <Button kind="main" onClick={() => setReviewing(true)}>
                  {settingsText('review', { count: count() })}
                </Button>
                <Button kind="quiet" onClick={() => setChanges({})}>
                  {settingsText('discard')}
                </Button>
              </div>
            </Show>
            <Show when={reviewing()}>
              <Review
                configuration={current()}
                changes={changes()}
                onClose={() => setReviewing(false)}
                onProblems={setProblems}
                onStale={() => loaded.reload()}
                onSaved={saved}
              />
            </Show>
          </>
        )}
      </Show>
    </div>
  )
}
