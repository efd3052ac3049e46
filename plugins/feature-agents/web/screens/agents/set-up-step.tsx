import {
  agentName,
  BannerBar,
  Button,
  commonText as common,
  defineSetUpStep,
  errorText,
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
import { createForm } from '@agent-service/sdk/web/forms'
import { type JSX, Show } from 'solid-js'
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
  const templateOf = (id: string): Agent | undefined => templates().find((agent) => agent.id === id)
  const groups = (): readonly string[] => namedModels(props.found.groups).map(({ group }) => group.name)
  const keys = { agent: newId(), chat: newId() }
  let made: string | undefined
  const form = createForm({
    initial: {
      template: templates()[0]?.id ?? ownAgent,
      name: templates()[0]?.name ?? '',
      instructions: '',
      group: groups().find((each) => each === 'primary') ?? groups()[0] ?? 'primary',
    },
    check: ({ name }) => (name.trim() === '' ? { '/name': common('required') } : {}),
    submit: async (chosen) => {
      made ??= await agentId(chosen)
      const chat = await api.post('/api/chats', { body: { agent_id: made }, idempotencyKey: keys.chat })
      await props.onDone(`/chats/${chat.id}`)
    },
  })
  type Chosen = ReturnType<typeof form.values>

  const choose = (template: string): void => {
    const { template: before, name } = form.values()
    form.set('template', template)
    // A name that the person typed stays.
    if (name === '' || name === templateOf(before)?.name) form.set('name', templateOf(template)?.name ?? '')
  }
  const agentId = async ({ template, name: typed, instructions, group }: Chosen): Promise<string> => {
    const name = typed.trim()
    const of = templateOf(template)
    if (of && of.name === name && of.model_group === group) return of.id
    const definition = of
      ? {
          instructions: of.instructions,
          description: of.description,
          tools: await presentTools(of.tools),
          skills: [...of.skills],
          avatar: of.avatar,
        }
      : { instructions, tools: await newAgentTools() }
    const agent = await api.post('/api/agents', { body: { ...definition, name, model_group: group }, idempotencyKey: keys.agent })
    return agent.id
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
          void form.submit()
        }}
      >
        <Show when={form.failure()}>{(error) => <BannerBar banner={{ id: 'form', tone: 'danger', text: errorText(error()) }} />}</Show>
        <ChoiceCards
          legend={t('template')}
          choices={[...templates().map(({ id }) => id), ownAgent]}
          value={form.values().template}
          onInput={choose}
        >
          {(id) => (
            <Show when={templateOf(id)} fallback={<OwnAgent />}>
              {(agent) => <Template agent={agent()} />}
            </Show>
          )}
        </ChoiceCards>
        <TextField label={t('name')} maxLength={100} {...form.field('name')} />
        <Show when={form.values().template === ownAgent}>
          <TextArea label={t('instructions')} help={t('instructions_help')} {...form.field('instructions')} />
        </Show>
        <Show when={groups().length > 1}>
          <SelectField
            label={t('model')}
            choices={modelChoices(props.found.groups, form.values().group)}
            {...form.field('group', '/model_group')}
          />
        </Show>
        <div class="form-foot">
          <Button kind="main" type="submit" busy={form.busy()}>
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
