import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { isProblem } from '../../api/problem.js'
import type { Schemas } from '../../api/types.js'
import { navigate } from '../../app/router.js'
import { newId } from '../../core/new-id.js'
import { agentName } from '../../ui/agent-name.js'
import { Button } from '../../ui/button.js'
import { SelectField, TextArea, TextField } from '../../ui/field.js'
import { modelChoices, namedModels } from '../../ui/model-names.js'
import { BannerBar } from '../../ui/notices.js'
import { errorText } from '../../ui/states.js'
import { t as common } from '../../ui/texts.js'
import { newAgentTools, presentTools } from '../agents/new-agent-tools.js'
import type { StepProps } from './set-up.js'
import { StepFrame } from './step-frame.js'
import { t } from './texts.js'

type Agent = Schemas['Agent']

/** Chooses whom to talk to: an agent that ships, as it is or under another name, or one of one's own. */
export function AgentStep(props: StepProps): JSX.Element {
  const templates = (): readonly Agent[] => props.found.agents.filter(({ enabled }) => enabled)
  const [template, setTemplate] = createSignal(templates()[0]?.id ?? '')
  const chosen = (): Agent | undefined => templates().find(({ id }) => id === template())
  const [name, setName] = createSignal(chosen()?.name ?? '')
  const [instructions, setInstructions] = createSignal('')
  const groups = (): readonly string[] => namedModels(props.found.groups).map(({ group }) => group.name)
  const [group, setGroup] = createSignal(groups().find((each) => each === 'primary') ?? groups()[0] ?? 'primary')
  const [busy, setBusy] = createSignal(false)
  const [missing, setMissing] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const keys = { agent: newId(), chat: newId() }
  let made: string | undefined

  const choose = (id: string): void => {
    const before = chosen()
    setTemplate(id)
    // A name that the person typed stays.
    if (name() === '' || name() === before?.name) setName(chosen()?.name ?? '')
  }
  const agentId = async (): Promise<string> => {
    const of = chosen()
    if (of && of.name === name().trim() && of.model_group === group()) return of.id
    const definition = of
      ? {
          instructions: of.instructions,
          description: of.description,
          tools: await presentTools(of.tools),
          skills: [...of.skills],
          avatar: of.avatar,
        }
      : { instructions: instructions(), tools: await newAgentTools() }
    const agent = await api.post('/api/agents', {
      body: { ...definition, name: name().trim(), model_group: group() },
      idempotencyKey: keys.agent,
    })
    return agent.id
  }
  const start = async (): Promise<void> => {
    setMissing(name().trim() === '')
    if (busy() || missing()) return
    setBusy(true)
    setFailure(undefined)
    try {
      made ??= await agentId()
      const chat = await api.post('/api/chats', { body: { agent_id: made }, idempotencyKey: keys.chat })
      await api.patch('/api/admin/set-up', { body: { agent: 'done' } })
      void navigate(`/chats/${chat.id}`)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const nameError = (): string | undefined => {
    const error = failure()
    if (missing()) return common('required')
    return isProblem(error) ? error.messageFor('/name') : undefined
  }
  return (
    <StepFrame title={t('agent_title')} lead={t('agent_lead')}>
      <Show when={props.found.groups.length === 0}>
        <BannerBar banner={{ id: 'no-model', text: t('agent_no_model') }} />
      </Show>
      <form
        class="form"
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <Show when={failure()}>{(error) => <BannerBar banner={{ id: 'form', tone: 'danger', text: errorText(error()) }} />}</Show>
        <fieldset>
          <legend class="lbl">{t('template')}</legend>
          <div class="set-up-options">
            <For each={templates()}>
              {(agent) => (
                <label>
                  <input type="radio" name="template" checked={agent.id === template()} onChange={() => choose(agent.id)} />
                  <span class="providers-facts">
                    <b>
                      <span aria-hidden="true">{agent.avatar} </span>
                      <bdi>{agentName(agent.name)}</bdi>
                    </b>
                    <span class="small t2">
                      <bdi>{agent.description}</bdi>
                    </span>
                  </span>
                </label>
              )}
            </For>
            <label>
              <input type="radio" name="template" checked={template() === ''} onChange={() => choose('')} />
              <span class="providers-facts">
                <b>{t('own_agent')}</b>
                <span class="small t2">{t('own_agent_text')}</span>
              </span>
            </label>
          </div>
        </fieldset>
        <TextField label={t('agent_name')} maxLength={100} value={name()} error={nameError()} onInput={setName} />
        <Show when={template() === ''}>
          <TextArea label={t('instructions')} help={t('instructions_help')} value={instructions()} onInput={setInstructions} />
        </Show>
        <Show when={groups().length > 1}>
          <SelectField label={t('agent_models')} value={group()} onInput={setGroup} choices={modelChoices(props.found.groups, group())} />
        </Show>
        <div class="form-foot">
          <Button kind="main" type="submit" busy={busy()}>
            {t('start_chat')}
          </Button>
          <Button kind="quiet" onClick={() => props.onSkip()}>
            {t('skip')}
          </Button>
        </div>
      </form>
    </StepFrame>
  )
}
