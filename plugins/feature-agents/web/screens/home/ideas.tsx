import { Icon, type IconName } from '@agent-service/sdk/web'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { areModelsKnown, knownModels } from '../../choices/choices.js'
import type { NewChatField } from '../../composer/new-chat.js'
import { t } from './texts.js'

type Tool = Schemas['Tool']

interface Idea {
  readonly icon: IconName
  readonly title: () => string
  readonly text: () => string
  /** Whether the agent can do it with the tools that models are offered for it. */
  readonly fits: (tools: readonly Tool[]) => boolean
}

const has = (tools: readonly Tool[], name: string): boolean => tools.some((tool) => tool.name === name)

/** In this order: something to approve, a file as result, a table, a task. Of file ideas the best that the tools allow. */
const ideas: readonly Idea[] = [
  {
    icon: 'shield-check',
    title: () => t('idea_approval'),
    text: () => t('idea_approval_text'),
    fits: (tools) => has(tools, 'ask_user') && tools.some(({ name, approval }) => name === 'update_profile' && approval !== 'never'),
  },
  { icon: 'chart-bar', title: () => t('idea_chart'), text: () => t('idea_chart_text'), fits: (tools) => has(tools, 'python') },
  {
    icon: 'file-text',
    title: () => t('idea_file'),
    text: () => t('idea_file_text'),
    fits: (tools) => has(tools, 'write_file') && !has(tools, 'python'),
  },
  { icon: 'table', title: () => t('idea_table'), text: () => t('idea_table_text'), fits: () => true },
  { icon: 'clock', title: () => t('idea_task'), text: () => t('idea_task_text'), fits: (tools) => has(tools, 'create_task') },
]

/** The texts of ideas: what the field has is one of them until the person changes it. */
const isIdea = (text: string): boolean => ideas.some((idea) => idea.text() === text)

/** What the chosen agent could be asked for. Choosing an idea writes it into the field; nothing is sent. */
export function Ideas(props: { readonly field: NewChatField }): JSX.Element {
  const agent = props.field.agentId
  const tools = createQuery<readonly Tool[]>({
    key: () => (agent() === undefined ? undefined : ['available_tools', agent()]),
    read: async (signal) =>
      (await api.get('/api/tools', { query: { agent: agent() ?? '', limit: 200 }, signal })).items.filter(({ available }) => available),
  })
  /** What the person wrote themselves stays before it. */
  const choose = (idea: string): void => {
    const written = props.field.text()
    props.field.write([isIdea(written) ? '' : written, idea].filter((each) => each.trim() !== '').join('\n\n'))
  }
  const shown = createMemo(() => ideas.filter(({ fits }) => fits(tools.value() ?? [])))
  return (
    <div class="home-ideas" classList={{ reserved: !areModelsKnown() || knownModels().length > 0 }}>
      <Show when={knownModels().length > 0}>
        <ul aria-label={t('ideas')}>
          <For each={shown()}>
            {({ icon, title, text }) => (
              <li>
                <button type="button" onClick={() => choose(text())}>
                  <Icon name={icon} />
                  <span>{title()}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  )
}
