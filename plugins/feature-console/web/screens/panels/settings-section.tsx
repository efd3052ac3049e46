import '../../settings/settings.css'
import { Button, Failure, Skeleton } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { createEdits, isConflictOf } from '../../settings/model/edits.js'
import { insideText } from '../../settings/model/findings.js'
import { allSettings } from '../../settings/model/layout.js'
import { fileName, isWithin } from '../../settings/model/schema.js'
import { SettingRow } from '../../settings/rows/setting-row.js'
import { createConfiguration } from '../../settings/save/create-configuration.js'
import { createEditing } from '../../settings/save/editing.js'
import { EditingReview } from '../../settings/save/editing-review.js'
import { RestartBar } from '../../settings/save/restart.js'
import { t } from '../../settings/words/texts.js'

/** The settings of one plugin, with their sources, as the settings editor shows all of them. */
export function SettingsSection(props: { readonly path: string }): JSX.Element {
  const configuration = createConfiguration()
  return (
    <div class="panels-form">
      <Show when={configuration.error()}>{(error) => <Failure error={error()} onRetry={() => void configuration.reload()} />}</Show>
      <Show when={configuration.value()} fallback={<Show when={!configuration.error()}>{<Skeleton lines={4} />}</Show>}>
        {(found) => <Section path={props.path} configuration={found()} onRead={configuration.set} />}
      </Show>
    </div>
  )
}

function Section(props: {
  readonly path: string
  readonly configuration: Configuration
  readonly onRead: (configuration: Configuration) => void
}): JSX.Element {
  const store = createEdits({ passing: true })
  const settings = createMemo(() => allSettings(props.configuration).filter(({ path }) => isWithin(path, props.path)))
  const editing = createEditing({
    configuration: () => props.configuration,
    onRead: (found) => props.onRead(found),
    settings,
    store,
  })
  const { edits, settingAt, count } = editing
  const problemsAt = (path: string): readonly string[] =>
    [...(editing.check()?.problems ?? []), ...editing.refused()]
      .filter((finding) => isWithin(finding.path, path))
      .map((finding) => insideText(finding, path))
  const pending = () => props.configuration.pending.filter((path) => isWithin(path, props.path))
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
                  isConflict={isConflictOf(edit(), props.configuration)}
                  file={fileName(props.configuration)}
                  withPlace={false}
                  onEdit={(next) => editing.put(path, next)}
                  onKeep={() => editing.keep(path)}
                />
              )
            }}
          </Show>
        )}
      </For>
      <Show when={count() > 0}>
        <div class="form-foot">
          <Button kind="main" onClick={() => editing.setReviewing(true)}>
            {t('review', { count: count() })}
          </Button>
          <Button kind="quiet" onClick={() => void editing.discard()}>
            {t('discard')}
          </Button>
        </div>
      </Show>
      <EditingReview editing={editing} configuration={props.configuration} link={link} />
    </>
  )
}
