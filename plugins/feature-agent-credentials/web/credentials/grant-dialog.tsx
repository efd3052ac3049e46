import { agentName, Checkbox, type NamedAgent, SelectField, showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { type JSX, Show } from 'solid-js'
import { api } from '../api/index.js'
import { type Binding, BindingFields, bindingsBody } from './binding-fields.js'
import { nameProblem } from './name-problems.js'
import type { Source } from './source.js'
import { type Term, termBody, termChoices } from './terms.js'
import { t } from './texts.js'
import { nameFrom, suggestedVariable } from './variable-names.js'

/** What a grant is made of: as much of a {@link Source} as its dialog needs. */
export type Grantable = Pick<Source, 'source' | 'name' | 'title' | 'fields'>

/** Lets an agent use a credential: how long, under which name, and in which variables. */
export function GrantDialog(props: {
  readonly of: Grantable
  readonly agents: readonly NamedAgent[]
  /** Chosen already, or the first. */
  readonly agent?: NamedAgent | undefined
  readonly onClose: () => void
}): JSX.Element {
  const { of } = props
  const usualName = of.name ?? nameFrom(of.title)
  const bindings: readonly Binding[] = of.fields.map(({ name: field, variable, as }) => ({
    field,
    variable: variable ?? suggestedVariable(usualName, field),
    as: as ?? 'value',
  }))
  const form = createForm({
    initial: { agentId: (props.agent ?? props.agents[0])?.id ?? '', term: 'hour' as Term, name: '', isOwn: false, bindings },
    check: ({ name }) => (name.trim() === '' ? {} : nameProblem(name)),
    codes: { credential_name_taken: '/name' },
    submit: async ({ agentId, term, name, isOwn, bindings: own }) => {
      await api.post('/api/credentials/grants', {
        body: {
          ...{ agent_id: agentId, source: of.source },
          ...termBody(term),
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(isOwn && { bindings: bindingsBody(own) }),
        },
      })
      const agent = agentName(props.agents.find(({ id }) => id === agentId)?.name ?? '')
      showToast(t('granted', { agent, title: of.title }))
      props.onClose()
    },
  })
  return (
    <FormDialog form={form} title={t('grant_title', { title: of.title })} action={t('grant')} wide onClose={props.onClose}>
      <SelectField
        label={t('agent')}
        {...form.field('agentId', '/agent_id')}
        choices={props.agents.map(({ id, name: label }) => ({ value: id, label: agentName(label) }))}
      />
      <SelectField label={t('lasts')} {...form.field('term', '/expires_in_secs')} choices={termChoices()} />
      <TextField
        label={t('name')}
        help={t('name_grant_help', { name: usualName })}
        mono
        maxLength={64}
        placeholder={usualName}
        {...form.field('name')}
      />
      <Show when={of.fields.length > 0}>
        <Checkbox
          label={t('bind_own')}
          help={t('bind_own_help')}
          value={form.values().isOwn}
          onInput={(isOwn) => form.set('isOwn', isOwn)}
        />
        <Show when={form.values().isOwn}>
          <BindingFields
            bindings={form.values().bindings}
            problem={form.problem}
            help={t('variable_none_help')}
            onInput={(own) => form.set('bindings', own)}
          />
        </Show>
      </Show>
    </FormDialog>
  )
}
