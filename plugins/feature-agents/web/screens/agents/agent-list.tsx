import {
  agentName,
  Badge,
  Button,
  commonText as common,
  createPagedList,
  Dialog,
  EmptyState,
  Failure,
  isProblem,
  modelTitle,
  navigate,
  newId,
  Page,
  PagedRows,
  TextArea,
  TextField,
  whenText,
} from '@agent-service/sdk/web'
import { shippedText } from '@agent-service/sdk/web/words'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { knownModels, readChoices } from '../../choices/choices.js'
import type { Agent } from './definition.js'
import { Face } from './face.js'
import { newAgentTools } from './new-agent-tools.js'
import { onReturn } from './on-return.js'
import { t } from './texts.js'

/** All agents of the person. */
export function AgentList(): JSX.Element {
  const [adding, setAdding] = createSignal(false)
  const list = createPagedList<Agent>({
    load: (cursor) => api.get('/api/agents', { query: { limit: 50, ...(cursor !== undefined && { cursor }) } }),
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
  const [name, setName] = createSignal('')
  const [instructions, setInstructions] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const [missing, setMissing] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const key = newId()
  const create = async (): Promise<void> => {
    setMissing(name().trim() === '')
    if (missing()) return
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { name: name().trim(), instructions: instructions(), tools: await newAgentTools() }
      const agent = await api.post('/api/agents', { body, idempotencyKey: key })
      props.onClose()
      void navigate(`/agents/${agent.id}`)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const messageFor = (path: string): string | undefined => {
    const error = failure()
    return isProblem(error) ? error.messageFor(path) : undefined
  }
  return (
    <Dialog title={t('new_agent')} onClose={props.onClose}>
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy()) void create()
        }}
      >
        <TextField
          label={t('name')}
          autofocus
          required
          maxLength={100}
          value={name()}
          onInput={setName}
          error={missing() ? common('required') : messageFor('/name')}
        />
        <TextArea
          label={t('instructions')}
          help={t('instructions_later')}
          rows={5}
          value={instructions()}
          onInput={setInstructions}
          error={messageFor('/instructions')}
        />
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {common('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()}>
            {t('create_agent')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
