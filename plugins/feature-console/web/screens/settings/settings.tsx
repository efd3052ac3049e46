import './settings.css'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { isProblem } from '../../api/problem.js'
import { guardLeaving } from '../../app/router.js'
import { Button } from '../../ui/button.js'
import { confirmAction } from '../../ui/dialog.js'
import { SelectField } from '../../ui/field.js'
import { BannerBar, showToast } from '../../ui/notices.js'
import { Page } from '../../ui/page.js'
import { errorText, Failure, Skeleton } from '../../ui/states.js'
import { Review } from './review.js'
import { type Configuration, sectionsOf, settingsOf } from './setting.js'
import { type Change, SettingRow } from './setting-row.js'
import { t } from './texts.js'

type Changes = Readonly<Record<string, Change>>

/** The settings editor, made from the schema of the configuration. */
export default function Settings(): JSX.Element {
  const [configuration, setConfiguration] = createSignal<Configuration>()
  const [failure, setFailure] = createSignal<unknown>()
  const [section, setSection] = createSignal('server')
  const [changes, setChanges] = createSignal<Changes>({})
  const [problems, setProblems] = createSignal<Readonly<Record<string, string>>>({})
  const [reviewing, setReviewing] = createSignal(false)
  const count = (): number => Object.keys(changes()).length
  const load = async (): Promise<void> => {
    try {
      setConfiguration(await api.get('/api/admin/config'))
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
  }
  void load()
  const leave = () => count() === 0 || confirmAction({ title: t('discard'), text: t('review', { count: count() }), action: t('discard') })
  onCleanup(guardLeaving(leave))
  const change = (path: string, next: Change | undefined): void => {
    setChanges(({ [path]: _, ...rest }) => (next === undefined ? rest : { ...rest, [path]: next }))
    setProblems(({ [path]: _, ...rest }) => rest)
  }
  const saved = (): void => {
    setReviewing(false)
    setChanges({})
    setProblems({})
    showToast(t('saved'))
    void load()
  }
  const restart = async (): Promise<void> => {
    try {
      await api.post('/api/admin/restart')
      showToast(t('restarting'), { mark: 'run' })
    } catch (error) {
      if (isProblem(error)) setProblems(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])))
      showToast(errorText(error), { mark: 'fail' })
    }
  }
  return (
    <Page form title={t('title')} lead={t('lead')}>
      <Show when={failure()}>{(error) => <Failure error={error()} onRetry={() => void load()} />}</Show>
      <Show when={configuration()} keyed fallback={<Show when={!failure()}>{<Skeleton lines={8} />}</Show>}>
        {(current) => (
          <>
            <Show when={current.restart_required}>
              <BannerBar banner={{ id: 'restart', text: t('restart_text'), action: { label: t('restart'), run: () => void restart() } }} />
            </Show>
            <SelectField label={t('section')} value={section()} choices={sectionsOf(current)} onInput={setSection} />
            <For each={settingsOf(current, section())}>
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
              <div class="form-foot settings-foot">
                <Button kind="main" onClick={() => setReviewing(true)}>
                  {t('review', { count: count() })}
                </Button>
                <Button kind="quiet" onClick={() => setChanges({})}>
                  {t('discard')}
                </Button>
              </div>
            </Show>
            <Show when={reviewing()}>
              <Review
                configuration={current}
                changes={changes()}
                onClose={() => setReviewing(false)}
                onProblems={setProblems}
                onStale={load}
                onSaved={saved}
              />
            </Show>
          </>
        )}
      </Show>
    </Page>
  )
}
