import {
  agentName,
  BannerBar,
  Button,
  commonText as common,
  defineSetUpStep,
  errorText,
  isProblem,
  modelChoices,
  namedModels,
  newId,
  readAll,
  SelectField,
  type SetUpStepProps,
  TextArea,
  TextField,
} from '@agent-service/sdk/web'
import { ChoiceCards } from '@agent-service/sdk/web/configuration'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { newAgentTools, presentTools } from './new-agent-tools.js'
import { t } from './set-up-texts.js'

type Agent = Schemas['Agent']

interface Found {
  readonly agents: readonly Agent[]
  readonly groups: readonly Schemas['ModelGroup'][]
}

/** Chooses whom to talk to: an agent that ships, as it is or under another name, or one of one's own. */
export default defineSetUpStep<Found>({
  order: 50,
  title: { en: 'First agent', de: 'Erster Agent' },
  heading: { en: 'Choose your first agent', de: 'Wähle deinen ersten Agenten' },
  lead: {
    en: 'Begin with one that ships, give it a name of your own, or write your own instructions. All of it can be changed later.',
    de: 'Beginne mit einem mitgelieferten, gib ihm einen eigenen Namen, oder schreibe eigene Anweisungen. Alles lässt sich später ändern.',
  },
  async read({ noted, signal }) {
    const page = (cursor: string | undefined) => ({ query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal })
    const [agents, groups] = await Promise.all([
      readAll((cursor) => api.get('/api/agents', page(cursor))),
      readAll((cursor) => api.get('/api/models', page(cursor))),
    ])
    return { isDone: noted === 'done', found: { agents, groups } }
  },
  View: ChooseAgent,
})

/** The choice of an agent that has no template. */
const ownAgent = ''

function ChooseAgent(props: SetUpStepProps<Found>): JSX.Element {
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
      await props.onDone(`/chats/${chat.id}`)
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
    <>
      <Show when={props.found.groups.length === 0}>
        <BannerBar banner={{ id: 'no-model', text: t('no_model') }} />
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
        <ChoiceCards legend={t('template')} choices={[...templates().map(({ id }) => id), ownAgent]} value={template()} onInput={choose}>
          {(id) => (
            <Show when={templates().find((agent) => agent.id === id)} fallback={<OwnAgent />}>
              {(agent) => <Template agent={agent()} />}
            </Show>
          )}
        </ChoiceCards>
        <TextField label={t('name')} maxLength={100} value={name()} error={nameError()} onInput={setName} />
        <Show when={template() === ownAgent}>
          <TextArea label={t('instructions')} help={t('instructions_help')} value={instructions()} onInput={setInstructions} />
        </Show>
        <Show when={groups().length > 1}>
          <SelectField label={t('model')} value={group()} onInput={setGroup} choices={modelChoices(props.found.groups, group())} />
        </Show>
        <div class="form-foot">
          <Button kind="main" type="submit" busy={busy()}>
            {t('start_chat')}
          </Button>
          {props.skip}
        </div>
      </form>
    </>
  )
}

const Template = (props: { readonly agent: Agent }): JSX.Element => (
  <>
    <b>
      <span aria-hidden="true">{props.agent.avatar} </span>
      <bdi>{agentName(props.agent.name)}</bdi>
    </b>
    <span class="small t2">
      <bdi>{props.agent.description}</bdi>
    </span>
  </>
)

const OwnAgent = (): JSX.Element => (
  <>
    <b>{t('own_agent')}</b>
    <span class="small t2">{t('own_agent_text')}</span>
  </>
)
