import { agentName, Checkbox, type Choice, Failure, language, SelectField, TextArea } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Access } from './channel-api.js'
import { createAgents } from './channel-queries.js'
import type { Choices } from './choices.js'
import { t } from './texts.js'

const policies: readonly Access[] = ['pairing', 'allow_list', 'open']

/** Which agent answers, who may write, and what holds in groups. */
export function AccessFields(props: {
  readonly isShared: boolean
  readonly hasGroups: boolean
  readonly value: Choices
  readonly onInput: (value: Choices) => void
  /** What the service found wrong with the tools for guests. */
  readonly toolsProblem?: string | undefined
}): JSX.Element {
  const agents = createAgents(props)
  const set = (change: Partial<Choices>): void => props.onInput({ ...props.value, ...change })
  const agentChoices = (): readonly Choice<string>[] => {
    const all = (agents.value() ?? []).map(({ id, name }) => ({ value: id, label: agentName(name) }))
    const chosen = props.value.agent_id
    const isMissing = chosen !== null && agents.value() !== undefined && !all.some(({ value }) => value === chosen)
    return [{ value: '', label: t('agent_first') }, ...(isMissing ? [{ value: chosen, label: t('agent_gone') }] : []), ...all]
  }
  return (
    <div class="channels-fields" lang={language()}>
      <Show when={!props.isShared} fallback={<p class="channels-note">{t('shared_help')}</p>}>
        <Show when={agents.error()}>{(error) => <Failure error={error()} onRetry={() => void agents.reload()} />}</Show>
        <SelectField
          label={t('agent')}
          value={props.value.agent_id ?? ''}
          onInput={(id) => set({ agent_id: id === '' ? null : id })}
          choices={agentChoices()}
        />
        <SelectField
          label={t('access')}
          help={t(`access_help_${props.value.access}`)}
          value={props.value.access}
          onInput={(access) => set({ access })}
          choices={policies.map((value) => ({ value, label: t(`access_${value}`) }))}
        />
        <TextArea
          label={t('guest_tools')}
          help={t('guest_tools_help')}
          mono
          rows={3}
          value={props.value.guest_tools.join('\n')}
          onInput={(text) => set({ guest_tools: text === '' ? [] : text.split('\n') })}
          error={props.toolsProblem}
        />
      </Show>
      <Show when={props.hasGroups}>
        <Checkbox
          label={t('mention')}
          help={t('mention_help')}
          value={props.value.mention_required}
          onInput={(next) => set({ mention_required: next })}
        />
      </Show>
      <Checkbox label={t('bots')} help={t('bots_help')} value={props.value.answer_bots} onInput={(next) => set({ answer_bots: next })} />
    </div>
  )
}
