import { Checkbox, commonText as common, isAdmin, Mark, SelectField, TextField } from '@agent-service/sdk/web'
import { createForm, type FieldProblems, FormDialog } from '@agent-service/sdk/web/forms'
import { For, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

type Scope = Schemas['Token']['scopes'][number]

const ends = ['30', '90', '365', 'never'] as const
const scopes: readonly Scope[] = ['read', 'write', 'inference', 'metrics', 'admin']

interface Values {
  readonly name: string
  readonly end: (typeof ends)[number]
  readonly scopes: readonly Scope[]
}

/** Asks what a token is for and what it may do. */
export function NewToken(props: {
  readonly onClose: () => void
  readonly onCreated: (token: Schemas['CreatedToken']) => void
}): JSX.Element {
  const form = createForm<Values>({
    initial: { name: '', end: '90', scopes: ['read', 'write'] },
    check,
    submit: async ({ name, end, scopes: chosen }) => {
      const days = end === 'never' ? {} : { expires_in_days: Number(end) }
      props.onCreated(await api.post('/api/auth/tokens', { body: { name: name.trim(), scopes: [...chosen], ...days } }))
    },
  })
  const choose = (scope: Scope, on: boolean): void => {
    const others = form.values().scopes.filter((other) => other !== scope)
    form.set('scopes', on ? [...others, scope] : others)
  }
  return (
    <FormDialog dismissible form={form} title={t('new_token')} action={t('create')} onClose={props.onClose}>
      <TextField label={t('name')} autofocus required maxLength={100} help={t('name_help')} {...form.field('name')} />
      <SelectField
        label={t('valid')}
        {...form.field('end', '/expires_in_days')}
        choices={ends.map((value) => ({ value, label: t(`valid_${value}`) }))}
      />
      <fieldset>
        <legend class="lbl access-legend">{t('scopes')}</legend>
        <For each={scopes.filter((scope) => (scope !== 'admin' && scope !== 'metrics') || isAdmin())}>
          {(scope) => (
            <Checkbox
              label={t(`scope_${scope}`)}
              help={t(`scope_${scope}_help`)}
              value={form.values().scopes.includes(scope)}
              onInput={(on) => choose(scope, on)}
            />
          )}
        </For>
        <Show when={form.problem('/scopes')}>
          {(problem) => (
            <p class="help err" role="alert">
              <Mark name="fail" />
              {problem()}
            </p>
          )}
        </Show>
      </fieldset>
    </FormDialog>
  )
}

const check = ({ name, scopes: chosen }: Values): FieldProblems => ({
  ...(name.trim() === '' && { '/name': common('required') }),
  ...(chosen.length === 0 && { '/scopes': t('no_scope') }),
})
