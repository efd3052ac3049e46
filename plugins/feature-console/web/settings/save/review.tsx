import {
  Button,
  createAction,
  Dialog,
  Failure,
  isProblem,
  lineDiff,
  Mark,
  Segments,
  Skeleton,
  send,
  whenConfirmed,
} from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { For, type JSX, Show } from 'solid-js'
import type { AnswerOf } from '../../api/index.js'
import { type Edit, type Edits, isConflict, patchOf } from '../model/edits.js'
import type { Finding } from '../model/findings.js'
import { isSame, isWithin } from '../model/schema.js'
import type { Setting } from '../model/setting.js'
import { shownEdit, shownValue } from '../model/values.js'
import { TitleText } from '../rows/title-text.js'
import { t } from '../words/texts.js'
import { titleOf } from '../words/titles.js'
import { FindingList } from './restart.js'

export type Check = AnswerOf<'post', '/api/admin/config/check'>
export type Saved = Pick<Configuration, 'revision' | 'locked'>

/** One change of the diff; `setting` is absent for an entry of a map as a whole. */
export interface Change {
  readonly path: string
  readonly edit: Edit
  readonly setting: Setting | undefined
}

/** What others saved while the settings were edited. */
export interface Merge {
  /** Settings that only they changed. */
  readonly theirs: readonly Setting[]
}

/**
 * What would change in the file, checked as the next start would check it; then it is saved. After
 * someone else saved, it stays open and shows both sides.
 */
export function Review(props: {
  readonly configuration: Configuration
  readonly edits: Edits
  readonly changes: readonly Change[]
  readonly check: Check | undefined
  readonly merge: Merge | undefined
  readonly link: (path: string) => JSX.Element
  readonly onKeep: (path: string) => void
  readonly onDrop: (path: string) => void
  readonly onClose: () => void
  /** Reads the file again; the edits stay. */
  readonly onStale: () => Promise<void>
  readonly onRefused: (problems: readonly Finding[]) => void
  readonly onSaved: (saved: Saved) => void
}): JSX.Element {
  const conflicts = (): readonly Change[] => props.changes.filter(({ edit }) => isConflict(edit, props.configuration))
  const problems = (): readonly Finding[] => props.check?.problems ?? []
  const overlaps = () => (props.check?.overlaps ?? []).filter((overlap) => props.changes.some(({ path }) => isWithin(overlap.path, path)))
  const isBlocked = () =>
    props.changes.length === 0 || conflicts().length > 0 || problems().length > 0 || props.changes.some(({ edit }) => edit.broken)
  const save = createAction(async () => {
    const headers = { 'if-match': `"${props.configuration.revision}"` }
    try {
      await whenConfirmed(t('confirm_reason'), async () => {
        const answer = await send('patch', '/api/admin/config', { body: patchOf(props.edits), headers })
        props.onSaved((await answer.json()) as Saved)
      })
    } catch (error) {
      if (isProblem(error, 'stale_config')) return props.onStale()
      if (isProblem(error, 'configuration_patch_invalid')) props.onRefused(error.errors)
      throw error
    }
  })
  return (
    <Dialog title={props.merge ? t('stale') : t('review_title')} wide onClose={props.onClose}>
      <section class="body settings-review" tabindex="0" autofocus aria-label={t('changed_here')}>
        <Show when={props.merge}>{(merge) => <MergeNote merge={merge()} hasConflicts={conflicts().length > 0} />}</Show>
        <ul class="settings-diff" aria-label={t('review_title')}>
          <For each={props.changes.map(({ path }) => path)}>
            {(path) => {
              const change = () => props.changes.find((each) => each.path === path)
              return (
                <Show when={change()}>
                  {(found) => (
                    <DiffItem
                      change={found()}
                      isConflict={conflicts().includes(found())}
                      onKeep={() => props.onKeep(path)}
                      onDrop={() => props.onDrop(path)}
                    />
                  )}
                </Show>
              )
            }}
          </For>
        </ul>
        <Show when={props.changes.length === 0}>
          <p class="help">{t('nothing_left')}</p>
        </Show>
        <Show when={props.check} fallback={<Skeleton lines={1} />}>
          <Show when={problems().length > 0}>
            <div role="alert">
              <p class="help err">
                <Mark name="fail" />
                {t('problems')}
              </p>
              <FindingList findings={problems()} link={props.link} />
            </div>
          </Show>
          <Show when={overlaps().length > 0}>
            <p class="help">{t('overlaps')}</p>
            <ul class="settings-findings">
              <For each={overlaps()}>
                {({ custom, typed }) => (
                  <li>{t('custom_overlap', { custom, typed: titleOf(typed.split('.').at(-1) ?? typed, undefined).text })}</li>
                )}
              </For>
            </ul>
          </Show>
        </Show>
        <Show when={save.failure()}>{(error) => <Failure error={error()} />}</Show>
      </section>
      <footer>
        <Button kind="quiet" onClick={props.onClose}>
          {t('keep')}
        </Button>
        <Button kind="main" busy={save.busy()} disabled={isBlocked()} onClick={() => void save.run()}>
          {t('save', { count: props.changes.length })}
        </Button>
      </footer>
    </Dialog>
  )
}

function MergeNote(props: { readonly merge: Merge; readonly hasConflicts: boolean }): JSX.Element {
  return (
    <div class="settings-merge" role="status">
      <p>{props.hasConflicts ? t('stale_text') : t('stale_text_clear')}</p>
      <Show when={props.merge.theirs.length > 0}>
        <p>{t('merged')}</p>
        <ul class="settings-findings">
          <For each={props.merge.theirs}>
            {(setting) => (
              <li>
                <TitleText title={setting.title} /> <bdi class="mono meta">{setting.path}</bdi>: {shownValue(setting, setting.value)}
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  )
}

function DiffItem(props: {
  readonly change: Change
  readonly isConflict: boolean
  readonly onKeep: () => void
  readonly onDrop: () => void
}): JSX.Element {
  const before = (): string => {
    const { setting, edit } = props.change
    if (setting) return shownValue(setting, edit.isSecret ? setting.value : setting.saved === undefined ? setting.value : setting.saved)
    return edit.kind === 'reset' ? t('entry') : t('not_set')
  }
  const after = (): string => {
    const { setting, edit } = props.change
    if (setting) return shownEdit(setting, edit)
    return edit.kind === 'reset' ? t('entry_removed') : t('entry_new')
  }
  return (
    <li>
      <p class="row">
        <span class="settings-name">
          <Show when={props.change.setting} fallback={props.change.edit.parts.at(-1)}>
            {(setting) => <TitleText title={setting().title} />}
          </Show>
        </span>
        <bdi class="mono meta settings-key">{props.change.path}</bdi>
      </p>
      <Show when={!isSame(before(), after())}>
        <pre class="foreign">
          <For each={lineDiff(before(), after())}>
            {({ kind, text }) =>
              kind === 'removed' ? <del>{`- ${text}`}</del> : kind === 'added' ? <ins>{`+ ${text}`}</ins> : <span>{`  ${text}`}</span>
            }
          </For>
        </pre>
      </Show>
      <Show when={props.isConflict}>
        <div class="row settings-conflict">
          <Mark name="wait" />
          <span class="grow">{t('conflict')}</span>
          <Segments
            label={`${t('conflict')}: ${props.change.path}`}
            value=""
            choices={[
              { value: 'mine', label: t('mine') },
              { value: 'theirs', label: t('theirs') },
            ]}
            onInput={(side) => (side === 'mine' ? props.onKeep() : props.onDrop())}
          />
        </div>
      </Show>
    </li>
  )
}
