import { Button, language, Mark, Segments } from '@agent-service/sdk/web'
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Edit } from '../model/edits.js'
import { easierText } from '../model/quantity.js'
import { isSame } from '../model/schema.js'
import { isOpaque, type Setting } from '../model/setting.js'
import { shownValue } from '../model/values.js'
import { t } from '../words/texts.js'
import { titleOf } from '../words/titles.js'
import { brokenText, Control } from './control.js'
import { TitleText } from './title-text.js'

/** A custom value that replaces a setting. */
export interface Overlap {
  readonly path: string
  readonly typed: string
  readonly custom: string
}

export interface RowProps {
  readonly setting: Setting
  readonly edit: Edit | undefined
  /** What the service says is wrong, in English. */
  readonly problems: readonly string[]
  readonly overlaps: readonly Overlap[]
  /** The file's value is no longer the one that the edit began with. */
  readonly isConflict: boolean
  readonly file: string
  /** Also say where it belongs, as in the results of a search. */
  readonly withPlace: boolean
  readonly onEdit: (edit: Edit | undefined) => void
  /** Keeps the own value although the file has another one. */
  readonly onKeep: () => void
}

/** A setting: its name and meaning, its field, where the value comes from, and the way back. */
export function SettingRow(props: RowProps): JSX.Element {
  const id = createUniqueId()
  const setting = () => props.setting
  const mine = (): string | undefined => (props.edit ? brokenText(setting(), props.edit) : undefined)
  const isWrong = () => mine() !== undefined || props.problems.length > 0
  const edit = (next: Pick<Edit, 'kind' | 'value' | 'text' | 'broken'> | undefined): void =>
    props.onEdit(
      next && {
        ...next,
        parts: setting().parts,
        isSecret: setting().kind === 'secret',
        base: props.edit ? props.edit.base : setting().saved,
      },
    )
  return (
    <div class="settings-row" classList={{ changed: props.edit !== undefined }} data-path={setting().path}>
      <div class="settings-what">
        <Show when={props.withPlace}>
          <p class="meta">
            <For each={setting().around}>
              {(title, index) => (
                <>
                  {index() > 0 ? ' › ' : ''}
                  <TitleText title={title} />
                </>
              )}
            </For>
          </p>
        </Show>
        <label class="settings-name" for={id}>
          <TitleText title={setting().title} />
        </label>{' '}
        <bdi class="mono meta settings-key">{setting().path}</bdi>
        <div id={`${id}-help`} class="help">
          <Show when={setting().help.text}>
            <p>
              <TitleText title={setting().help} />
            </p>
          </Show>
          <Show when={setting().noEffect.text}>
            <p class="t3">
              {t('no_effect')} <TitleText title={setting().noEffect} />
            </p>
          </Show>
          <Show when={setting().kind === 'secret' && setting().lockedBy === undefined}>
            <p class="t3">{t('secret_help', { reference: '${NAME}' })}</p>
          </Show>
          <Show when={setting().lockedBy}>{(variable) => <p>{t('locked', { variable: variable() })}</p>}</Show>
          <Show when={setting().lockedBy === undefined && isOpaque(setting())}>
            <p>{t('opaque')}</p>
          </Show>
        </div>
      </div>
      <div class="settings-value">
        <Control id={id} describedBy={`${id}-help ${id}-notes`} setting={setting()} edit={props.edit} isWrong={isWrong()} onEdit={edit} />
        <div id={`${id}-notes`} class="settings-notes">
          <Show when={mine()}>{(text) => <Wrong>{text()}</Wrong>}</Show>
          <For each={props.problems}>{(text) => <Wrong isEnglish>{text}</Wrong>}</For>
          <For each={props.overlaps}>
            {({ custom, typed }) => (
              <p class="help row">
                <Mark name="warn" />
                <span>{t('custom_overlap', { custom, typed: titleOf(typed.split('.').at(-1) ?? typed, undefined).text })}</span>
              </p>
            )}
          </For>
          <Readings setting={setting()} edit={props.edit} />
          <Show when={props.isConflict}>
            <div class="help settings-conflict">
              <p class="row">
                <Mark name="wait" />
                <span>
                  {t('conflict')}. {t('conflict_text', { value: shownValue(setting(), setting().saved) })}
                </span>
              </p>
              <Segments
                label={t('conflict')}
                value=""
                choices={[
                  { value: 'mine', label: t('mine') },
                  { value: 'theirs', label: t('theirs') },
                ]}
                onInput={(side) => (side === 'mine' ? props.onKeep() : props.onEdit(undefined))}
              />
            </div>
          </Show>
          <Source setting={setting()} edit={props.edit} file={props.file} onEdit={edit} />
        </div>
      </div>
    </div>
  )
}

export const Wrong = (props: { readonly isEnglish?: boolean; readonly children: JSX.Element }): JSX.Element => (
  <p class="help err">
    <Mark name="fail" />
    <span lang={props.isEnglish && language() !== 'en' ? 'en' : undefined}>{props.children}</span>
  </p>
)

/** The value in easier units, and the one in effect where it is another. */
function Readings(props: { readonly setting: Setting; readonly edit: Edit | undefined }): JSX.Element {
  const value = (): unknown =>
    props.edit === undefined ? props.setting.value : props.edit.kind === 'reset' ? props.setting.node.default : props.edit.value
  const easier = (): string | undefined => {
    const number = value()
    return typeof number === 'number' ? easierText(number, props.setting.unit) : undefined
  }
  const effective = (): string | undefined => {
    const { setting, edit } = props
    if (setting.kind === 'secret' || setting.lockedBy !== undefined) return undefined
    const differs = setting.isPending || setting.reference !== undefined
    if (edit !== undefined || !differs || isSame(setting.value, setting.effective)) return undefined
    return t('in_effect', { value: shownValue(setting, setting.effective) })
  }
  return (
    <>
      <Show when={easier()}>{(text) => <p class="help">= {text()}</p>}</Show>
      <Show when={effective()}>{(text) => <p class="help">{text()}</p>}</Show>
    </>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (typeof value === 'object' && 'is_set' in value && value.is_set === false)

/** Where the value comes from, and the way back. */
function Source(props: {
  readonly setting: Setting
  readonly edit: Edit | undefined
  readonly file: string
  readonly onEdit: (edit: Pick<Edit, 'kind' | 'value'> | undefined) => void
}): JSX.Element {
  const words = (): string => {
    const { setting, file } = props
    if (setting.lockedBy !== undefined) return t('from_environment', { variable: setting.lockedBy })
    if (setting.source === 'default') return isEmpty(setting.value) ? t('not_set') : t('fallback_default')
    return setting.line === undefined ? t('from_file_only', { file }) : t('from_file', { file, line: String(setting.line) })
  }
  const before = (): string => {
    const text = shownValue(props.setting, props.setting.value)
    return isEmpty(props.setting.value) || text.includes('\n') || text.length > 60 ? '' : text
  }
  const mayReset = () => props.setting.lockedBy === undefined && props.setting.source === 'file'
  return (
    <div class="settings-source">
      <Show when={props.edit} fallback={<span>{words()}</span>}>
        <span>
          <b class="accent">{t('changed')}</b>
          <Show when={before()}>{(value) => `, ${t('was', { value: value() })}`}</Show>
        </span>
      </Show>
      <Show when={props.setting.isPending && props.edit === undefined}>
        <span class="row settings-pending">
          <Mark name="wait" />
          {t('pending')}
        </span>
      </Show>
      <span class="grow" />
      <Show when={props.edit}>
        <Button kind="quiet" size="small" label={`${t('undo')}: ${props.setting.title.text}`} onClick={() => props.onEdit(undefined)}>
          {t('undo')}
        </Button>
      </Show>
      <Show when={mayReset() && props.edit?.kind !== 'reset'}>
        <Button
          kind="quiet"
          size="small"
          label={`${t('reset')}: ${props.setting.title.text}`}
          onClick={() => props.onEdit({ kind: 'reset' })}
        >
          {t('reset_short')}
        </Button>
      </Show>
    </div>
  )
}
