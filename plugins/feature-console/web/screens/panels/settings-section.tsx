import '../settings/settings.css'
import { createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { guardLeaving } from '../../app/router.js'
import { Button } from '../../ui/button.js'
import { confirmAction } from '../../ui/dialog.js'
import { showToast } from '../../ui/notices.js'
import { Failure, Skeleton } from '../../ui/states.js'
import { type Edit, type Edits, isConflict, patchOf } from '../settings/edits.js'
import { allSettings } from '../settings/layout.js'
import { createLiveCheck } from '../settings/live-check.js'
import { type Finding, RestartBar } from '../settings/restart.js'
import { type Change, type Merge, Review } from '../settings/review.js'
import { at, type Configuration, isSame, isWithin } from '../settings/schema.js'
import { SettingRow } from '../settings/setting-row.js'
import { t as settingsText } from '../settings/texts.js'

/** The settings of one plugin, with their sources, as the settings editor shows all of them. */
export function SettingsSection(props: { readonly path: string }): JSX.Element {
  const [configuration, setConfiguration] = createSignal<Configuration>()
  const [failure, setFailure] = createSignal<unknown>()
  const load = async (): Promise<void> => {
    setFailure(undefined)
    await api.get('/api/admin/config').then(setConfiguration, setFailure)
  }
  void load()
  return (
    <div class="panels-form">
      <Show when={failure()}>{(error) => <Failure error={error()} onRetry={() => void load()} />}</Show>
      <Show when={configuration()} fallback={<Show when={!failure()}>{<Skeleton lines={4} />}</Show>}>
        {(found) => <Section path={props.path} configuration={found()} onRead={setConfiguration} />}
      </Show>
    </div>
  )
}

function Section(props: {
  readonly path: string
  readonly configuration: Configuration
  readonly onRead: (configuration: Configuration) => void
}): JSX.Element {
  const [edits, setEdits] = createSignal<Edits>({})
  const [refused, setRefused] = createSignal<readonly Finding[]>([])
  const [isReviewing, setReviewing] = createSignal(false)
  const [merge, setMerge] = createSignal<Merge>()
  const count = (): number => Object.keys(edits()).length
  const settings = createMemo(() => allSettings(props.configuration).filter(({ path }) => isWithin(path, props.path)))
  const settingAt = createMemo(() => new Map(settings().map((setting) => [setting.path, setting])))
  const changes = createMemo((): readonly Change[] =>
    Object.entries(edits()).map(([path, edit]) => ({ path, edit, setting: settingAt().get(path) })),
  )
  const check = createLiveCheck(() => patchOf(edits()))
  const problemsAt = (path: string): readonly string[] =>
    [...(check()?.problems ?? []), ...refused()].filter((finding) => isWithin(finding.path, path)).map(({ message }) => message)
  const pending = () => props.configuration.pending.filter((path) => isWithin(path, props.path))
  const put = (path: string, edit: Edit | undefined): void => {
    setRefused((before) => before.filter((finding) => !isWithin(finding.path, path)))
    setEdits(({ [path]: _, ...rest }) => (edit ? { ...rest, [path]: edit } : rest))
  }
  const keep = (path: string): void => {
    const edit = edits()[path]
    if (edit) put(path, { ...edit, base: at(props.configuration.saved, edit.parts) })
  }
  const clear = (): void => {
    setReviewing(false)
    setMerge(undefined)
    setRefused([])
    setEdits({})
  }
  const onStale = async (): Promise<void> => {
    const before = props.configuration
    const found = await api.get('/api/admin/config')
    props.onRead(found)
    const theirs = settings().filter(
      ({ path, parts, kind }) => kind !== 'secret' && !edits()[path] && !isSame(at(found.saved, parts), at(before.saved, parts)),
    )
    setMerge({ theirs })
  }
  const onSaved = (): void => {
    clear()
    showToast(settingsText('saved'))
    void api.get('/api/admin/config').then(props.onRead, (error: unknown) => showToast(String(error), { mark: 'fail' }))
  }
  onCleanup(
    guardLeaving(
      async () =>
        count() === 0 ||
        (await confirmAction({
          ...{ title: settingsText('discard_title'), text: settingsText('discard_text', { count: count() }) },
          ...{ action: settingsText('discard_action'), keep: settingsText('keep') },
        })),
    ),
  )
  const link = (path: string): JSX.Element => (
    <a href={`/admin/settings?section=${encodeURIComponent(path.split(/[.[]/)[0] ?? '')}&setting=${encodeURIComponent(path)}`}>
      <bdi>{settingAt().get(path)?.title.text ?? path}</bdi>
    </a>
  )
  return (
    <>
      <RestartBar configuration={props.configuration} pending={pending()} link={link} onRead={props.onRead} />
      <For each={settings().map(({ path }) => path)}>
        {(path) => (
          <Show when={settingAt().get(path)}>
            {(setting) => {
              const edit = () => edits()[path]
              return (
                <SettingRow
                  setting={setting()}
                  edit={edit()}
                  problems={problemsAt(path)}
                  overlaps={[]}
                  isConflict={isChangedElsewhere(edit(), props.configuration)}
                  file={props.configuration.file.split(/[\\/]/).at(-1) ?? props.configuration.file}
                  withPlace={false}
                  onEdit={(next) => put(path, next)}
                  onKeep={() => keep(path)}
                />
              )
            }}
          </Show>
        )}
      </For>
      <Show when={count() > 0}>
        <div class="form-foot">
          <Button kind="main" onClick={() => setReviewing(true)}>
            {settingsText('review', { count: count() })}
          </Button>
          <Button kind="quiet" onClick={clear}>
            {settingsText('discard')}
          </Button>
        </div>
      </Show>
      <Show when={isReviewing()}>
        <Review
          configuration={props.configuration}
          edits={edits()}
          changes={changes()}
          check={check()}
          merge={merge()}
          link={link}
          onKeep={keep}
          onDrop={(path) => put(path, undefined)}
          onClose={() => {
            setReviewing(false)
            setMerge(undefined)
          }}
          onStale={onStale}
          onRefused={setRefused}
          onSaved={onSaved}
        />
      </Show>
    </>
  )
}

const isChangedElsewhere = (edit: Edit | undefined, configuration: Configuration): boolean =>
  edit !== undefined && isConflict(edit, configuration)
