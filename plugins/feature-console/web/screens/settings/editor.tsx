import { currentQuery, EmptyState, Mark, navigate, Page } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createEffect, createMemo, For, type JSX, on, Show } from 'solid-js'
import { createEdits } from '../../settings/model/edits.js'
import { type Finding, insideText, ownerOf, placeFindings } from '../../settings/model/findings.js'
import { at, fileName, isWithin, pathText } from '../../settings/model/schema.js'
import { Line } from '../../settings/rows/line.js'
import { TitleText } from '../../settings/rows/title-text.js'
import { createEditing } from '../../settings/save/editing.js'
import { EditingReview } from '../../settings/save/editing-review.js'
import { FindingList, RestartBar } from '../../settings/save/restart.js'
import { t } from '../../settings/words/texts.js'
import { focusSetting } from './focus-setting.js'
import { ChangesFoot, Restored, WrongNow } from './notes.js'
import { reportSaved, useReadingAgain } from './reading-again.js'
import { SectionList } from './section-list.js'
import { createShownRows } from './shown-rows.js'
import { Tools } from './tools.js'

const sectionAddress = (path: string): string => `/admin/settings?section=${encodeURIComponent(path.split(/[.[]/)[0] ?? '')}`

/** All settings, by sections, with what is edited of them. */
export function Editor(props: {
  readonly configuration: Configuration
  readonly onRead: (configuration: Configuration) => void
}): JSX.Element {
  const store = createEdits()
  const { edits } = store
  const shown = createShownRows(() => props.configuration, edits)
  const { sections, offered, section, isFlat, rows, settings } = shown
  const editing = createEditing({
    configuration: () => props.configuration,
    onRead: (found) => props.onRead(found),
    settings,
    store,
    onSaved: reportSaved,
  })
  const { settingAt, check, put } = editing
  useReadingAgain(editing.read)
  const rowById = createMemo(() => new Map(rows().map((row) => [row.id, row])))
  const findings = (): readonly Finding[] => [...(check()?.problems ?? props.configuration.problems), ...editing.refused()]
  const placed = createMemo(() => placeFindings(findings(), settingAt(), rows()))
  const unplaced = (): readonly Finding[] => placed().get('') ?? []
  const broken = (): number => {
    const unfinished = Object.entries(edits()).filter(([, edit]) => edit.broken)
    return new Set([...unfinished.map(([path]) => path), ...placed().keys()]).size
  }
  const show = (path: string): void => {
    editing.setReviewing(false)
    shown.showAll()
    const target = ownerOf(path, settingAt()) ?? path
    void navigate(sectionAddress(target)).then(() => focusSetting(target))
  }
  createEffect(
    on(
      () => currentQuery().get('setting'),
      (asked) => {
        if (asked) focusSetting(ownerOf(asked, settingAt()) ?? asked)
      },
    ),
  )
  const link = (path: string): JSX.Element => {
    const setting = () => settingAt().get(ownerOf(path, settingAt()) ?? '')
    return (
      <a
        href={`${sectionAddress(path)}&setting=${encodeURIComponent(path)}`}
        onClick={(event) => {
          event.preventDefault()
          show(path)
        }}
      >
        <Show when={setting()} fallback={<bdi class="mono">{path}</bdi>}>
          {(found) => (
            <>
              <For each={found().around}>
                {(title) => (
                  <>
                    <TitleText title={title} />
                    {' › '}
                  </>
                )}
              </For>
              <TitleText title={found().title} />
            </>
          )}
        </Show>
      </a>
    )
  }
  const add = (parts: readonly string[]): void => {
    put(pathText(parts), { kind: 'set', parts, value: {}, isSecret: false, base: undefined })
    queueMicrotask(() => focusSetting(pathText(parts)))
  }
  const pending = (): readonly string[] => [...new Set(props.configuration.pending.map((path) => ownerOf(path, settingAt()) ?? path))]
  const stateOf = (name: string) => ({
    changes: Object.keys(edits()).filter((path) => isWithin(path, name)).length,
    problems: [...placed()].filter(([path]) => path !== '' && isWithin(path, name)).length,
  })
  const current = () => sections().find(({ name }) => name === section())
  return (
    <Page title={t('title')} lead={t('lead', { file: fileName(props.configuration) })}>
      <RestartBar configuration={props.configuration} pending={pending()} link={link} onRead={editing.adopt} />
      <WrongNow configuration={props.configuration} editing={editing} link={link} />
      <Restored editing={editing} />
      <Tools shown={shown} />
      <div class="settings-layout">
        <SectionList
          sections={offered()}
          current={isFlat() ? undefined : section()}
          stateOf={stateOf}
          onSelect={(name) => {
            shown.showAll()
            void navigate(sectionAddress(name))
          }}
        />
        <div class="settings-rows">
          <Show when={!isFlat() && current()}>
            {(found) => (
              <header class="settings-head">
                <h2>
                  <TitleText title={found().title} />
                </h2>
                <p>
                  <TitleText title={found().help} />
                </p>
                <Show when={found().noEffect.text}>
                  <p class="row help">
                    <Mark name="pause" />
                    {t('no_effect')}
                  </p>
                </Show>
              </header>
            )}
          </Show>
          <Show when={unplaced().length > 0}>
            <FindingList findings={unplaced()} link={link} />
          </Show>
          <For
            each={rows().map(({ id }) => id)}
            fallback={
              <Show when={isFlat()}>
                <EmptyState title={t('not_found')} text={t('not_found_text')} />
              </Show>
            }
          >
            {(id) => (
              <Line
                row={() => rowById().get(id)}
                edits={edits()}
                configuration={props.configuration}
                problemsAt={(path) => (placed().get(path) ?? []).map((finding) => insideText(finding, path))}
                overlapsAt={(path) => (check()?.overlaps ?? []).filter((overlap) => isWithin(overlap.path, path))}
                withPlace={isFlat()}
                onEdit={put}
                onKeep={editing.keep}
                onRemove={(parts, isSaved) => store.removeEntry(parts, isSaved, at(props.configuration.saved, parts))}
                onAdd={add}
                isTaken={(parts) => at(props.configuration.values, parts) !== undefined || edits()[pathText(parts)] !== undefined}
              />
            )}
          </For>
        </div>
      </div>
      <ChangesFoot editing={editing} broken={broken()} />
      <EditingReview editing={editing} configuration={props.configuration} link={link} />
    </Page>
  )
}
