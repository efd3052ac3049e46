import { agentName, Checkbox, type NamedAgent, SelectField, showToast, TextField } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
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
  readonly onDone: () => void
}): JSX.Element {
  const { of } = props
  const usualName = of.name ?? nameFrom(of.title)
  const [agentId, setAgentId] = createSignal((props.agent ?? props.agents[0])?.id ?? '')
  const [term, setTerm] = createSignal<Term>('hour')
  const [name, setName] = createSignal('')
  const [isOwn, setOwn] = createSignal(false)
  const [bindings, setBindings] = createSignal<readonly Binding[]>(
    of.fields.map(({ name: field, variable, as }) => ({
      field,
      variable: variable ?? suggestedVariable(usualName, field),
      as: as ?? 'value',
    })),
  )
  const chosenName = (): string => agentName(props.agents.find(({ id }) => id === agentId())?.name ?? '')
  const grant = async (): Promise<void> => {
    await api.post('/api/credentials/grants', {
      body: {
        ...{ agent_id: agentId(), source: of.source },
        ...termBody(term()),
        ...(name().trim() !== '' && { name: name().trim() }),
        ...(isOwn() && { bindings: bindingsBody(bindings()) }),
      },
    })
    showToast(t('granted', { agent: chosenName(), title: of.title }))
    props.onDone()
  }
  return (
    <OldFormDialog
      title={t('grant_title', { title: of.title })}
      action={t('grant')}
      wide
      check={() => (name().trim() === '' ? {} : nameProblem(name()))}
      onSubmit={grant}
      onClose={props.onClose}
    >
      {(problems) => (
        <>
          <SelectField
            label={t('agent')}
            value={agentId()}
            onInput={setAgentId}
            choices={props.agents.map(({ id, name: label }) => ({ value: id, label: agentName(label) }))}
          />
          <SelectField label={t('lasts')} value={term()} onInput={setTerm} choices={termChoices()} />
          <TextField
            label={t('name')}
            help={t('name_grant_help', { name: usualName })}
            mono
            maxLength={64}
            placeholder={usualName}
            value={name()}
            onInput={setName}
            error={problems()['/name']}
          />
          <Show when={of.fields.length > 0}>
            <Checkbox label={t('bind_own')} help={t('bind_own_help')} value={isOwn()} onInput={setOwn} />
            <Show when={isOwn()}>
              <BindingFields bindings={bindings()} problems={problems()} help={t('variable_none_help')} onInput={setBindings} />
            </Show>
          </Show>
        </>
      )}
    </OldFormDialog>
  )
}
