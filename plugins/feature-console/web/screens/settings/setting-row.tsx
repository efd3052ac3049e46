import { type JSX, Match, Show, Switch } from 'solid-js'
import { Button } from '../../ui/button.js'
import { PasswordField, SelectField, TextArea, TextField } from '../../ui/field.js'
import { JsonField } from '../../ui/schema-form.js'
import { at, hidesSecrets, type Setting } from './setting.js'
import { t } from './texts.js'

/** What a person changed: a new value, or back to the default. */
export type Change = { readonly value: unknown } | 'reset'

/** A setting with its field, its source, and the way back. */
export function SettingRow(props: {
  readonly setting: Setting
  readonly change: Change | undefined
  readonly error: string | undefined
  readonly onChange: (change: Change | undefined) => void
}): JSX.Element {
  const setting = props.setting
  const locked = (): boolean => setting.lockedBy !== undefined
  const current = (): unknown => (props.change === undefined ? setting.value : props.change === 'reset' ? undefined : props.change.value)
  const text = (): string => (current() === undefined || current() === null ? '' : String(current()))
  const set = (value: unknown): void => props.onChange(value === setting.value ? undefined : { value })
  const setText = (next: string): void => {
    if (next === '') props.onChange(setting.value === undefined || setting.value === null ? undefined : 'reset')
    else set(setting.kind === 'number' && /^-?\d+(\.\d+)?$/.test(next) ? Number(next) : next)
  }
  const source = (): string => (props.change === undefined ? t(setting.source) : props.change === 'reset' ? t('reset_value') : t('changed'))
  const aside = (): JSX.Element => (
    <span class="settings-source">
      {source()}
      <Show when={!locked() && (props.change !== undefined || setting.source === 'file')}>
        <Button
          kind="quiet"
          size="small"
          label={`${t('reset')}: ${setting.label}`}
          onClick={() => props.onChange(props.change === undefined ? 'reset' : undefined)}
        >
          {t('reset')}
        </Button>
      </Show>
    </span>
  )
  const common = {
    label: setting.label,
    get aside() {
      return aside()
    },
    get error() {
      return props.error
    },
    help: (
      <>
        {setting.help} <bdi class="mono settings-key">{setting.lockedBy ?? setting.path}</bdi>
      </>
    ),
  }
  return (
    <div class="settings-row" classList={{ changed: props.change !== undefined }} data-path={setting.path}>
      <Switch fallback={<TextField {...common} value={text()} readOnly={locked()} onInput={setText} />}>
        <Match when={locked() || (setting.kind === 'json' && hidesSecrets(setting.value))}>
          <TextField {...common} value={shownText(setting)} readOnly onInput={() => undefined} />
        </Match>
        <Match when={setting.kind === 'secret'}>
          <PasswordField
            {...common}
            autocomplete="new-password"
            placeholder={at(setting.value, ['is_set']) === true ? t('secret_set') : t('not_set')}
            value={props.change === undefined || props.change === 'reset' ? '' : text()}
            onInput={(next) => props.onChange(next === '' ? undefined : { value: next })}
          />
        </Match>
        <Match when={setting.kind === 'boolean' || setting.kind === 'choice'}>
          <SelectField
            {...common}
            value={text()}
            choices={[
              ...(text() === '' ? [{ value: '', label: t('not_set') }] : []),
              ...(setting.kind === 'boolean'
                ? [
                    { value: 'true', label: t('yes') },
                    { value: 'false', label: t('no') },
                  ]
                : setting.choices.map((value) => ({ value, label: value }))),
            ]}
            onInput={(next) => (next === '' ? setText('') : set(setting.kind === 'boolean' ? next === 'true' : next))}
          />
        </Match>
        <Match when={setting.kind === 'list'}>
          <TextArea
            {...common}
            rows={3}
            value={Array.isArray(current()) ? (current() as readonly unknown[]).join('\n') : ''}
            onInput={(next) => props.onChange({ value: next.split('\n').filter((line) => line.trim() !== '') })}
          />
        </Match>
        <Match when={setting.kind === 'json'}>
          <JsonField {...common} value={current()} onChange={(value) => props.onChange(value === undefined ? 'reset' : { value })} />
        </Match>
      </Switch>
    </div>
  )
}

/** A value for reading, secrets left out. */
export function shownText({ kind, value }: Pick<Setting, 'kind' | 'value'>): string {
  if (kind === 'secret' || hidesSecrets(value)) return t('secret')
  if (value === undefined || value === null || value === '') return t('not_set')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
