import {
  agentName,
  Badge,
  Button,
  commonText as common,
  EmptyState,
  modelTitle,
  navigate,
  newId,
  Page,
  PagedRows,
  TextArea,
  TextField,
  whenText,
} from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { shippedText } from '@agent-service/sdk/web/words'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, createPagedQuery } from '../../api/index.js'
import { knownModels, readChoices } from '../../choices/choices.js'
import type { Agent } from './definition.js'
import { Face } from './face.js'
import { newAgentTools } from './new-agent-tools.js'
import { onReturn } from './on-return.js'
import { t } from './texts.js'

/** All agents of the person. */
export function AgentList(): JSX.Element {
  const [adding, setAdding] = createSignal(false)
  const list = createPagedQuery<Agent>({
    key: () => ['agents'],
    read: (cursor, signal) => api.get('/api/agents', { query: { limit: 50, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: (agent) => agent.id,
  })
  onReturn(() => void list.reload())
  void readChoices()
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
          {t('new_agent')}
        </Button>
      }
    >
      <PagedRows list={list} label={t('title')} empty={<EmptyState title={t('no_agents')} text={t('no_agents_text')} />}>
        {(agent) => <AgentRow agent={agent} />}
      </PagedRows>
      <Show when={adding()}>
        <NewAgent onClose={() => setAdding(false)} />
      </Show>
    </Page>
  )
}

function AgentRow(props: { readonly agent: Agent }): JSX.Element {
  return (
    <a class="item agents-item" href={`/agents/${props.agent.id}`}>
      <Face agent={props.agent} />
      <span class="grow agents-words">
        <span class="row">
          <b class="cut">
            <bdi>{agentName(props.agent.name)}</bdi>
          </b>
          <Show when={!props.agent.enabled}>
            <Badge tone="line">{t('off')}</Badge>
          </Show>
          <Show when={props.agent.warnings.length > 0}>
            <Badge tone="warn" mark="warn">
              {t('warnings', { count: props.agent.warnings.length })}
            </Badge>
          </Show>
          <Show when={props.agent.shared?.update_available}>
            <Badge tone="accent">{t('update_available')}</Badge>
          </Show>
        </span>
        <span class="sub cut">
          <bdi>{shippedText(props.agent.description).text}</bdi>
        </span>
      </span>
      <span class="meta agents-facts">
        <bdi>{modelTitle(knownModels(), props.agent.model_group)}</bdi>
        <span>{whenText(props.agent.updated_at)}</span>
      </span>
    </a>
  )
}

/** Asks for a name and instructions; all else has defaults and is set on the agent's page. */
function NewAgent(props: { readonly onClose: () => void }): JSX.Element {
  const idempotencyKey = newId()
  const form = createForm({
    initial: { name: '', instructions: '' },
    check: ({ name }) => (name.trim() === '' ? { '/name': common('required') } : {}),
    submit: async ({ name, instructions }) => {
      const body = { name: name.trim(), instructions, tools: await newAgentTools() }
      const agent = await api.post('/api/agents', { body, idempotencyKey })
      props.onClose()
      void navigate(`/agents/${agent.id}`)
    },
  })
  return (
    <FormDialog dismissible form={form} title={t('new_agent')} action={t('create_agent')} onClose={props.onClose}>
      <TextField label={t('name')} autofocus required maxLength={100} {...form.field('name')} />
      <TextArea label={t('instructions')} help={t('instructions_later')} rows={5} {...form.field('instructions')} />
    </FormDialog>
  )
}
