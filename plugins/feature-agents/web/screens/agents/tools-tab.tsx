import { Badge, createLoaded, EmptyState, Failure, Icon, Mark, Skeleton, TextField, toolTitle } from '@agent-service/sdk/web'
import { createMemo, createSignal, createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import { api, type Schemas } from '../../api/index.js'
import type { Agent, Approval, Definition } from './definition.js'
import { Grants } from './grants.js'
import { t } from './texts.js'

type Tool = Schemas['Tool']

interface ToolsProps {
  readonly agent: Agent
  readonly draft: Definition
  readonly change: SetStoreFunction<Definition>
}

/** Which tools the agent has, why it lacks some, and when a person is asked before they run. */
export function ToolsTab(props: ToolsProps): JSX.Element {
  const [filter, setFilter] = createSignal('')
  const tools = createLoaded(async () => {
    const id = props.agent.id
    return withOwnFirst(await allTools(undefined), await allTools(id))
  })
  const shown = createMemo(() => {
    const words = filter().trim().toLowerCase()
    return (tools.value() ?? []).filter((tool) =>
      `${toolTitle(tool)} ${tool.title ?? ''} ${tool.name} ${tool.description ?? ''}`.toLowerCase().includes(words),
    )
  })
  return (
    <>
      <h2 class="h3">{t('may_do')}</h2>
      <p class="help agents-lead">{t('may_do_help')}</p>
      <Switch fallback={<Skeleton lines={8} />}>
        <Match when={tools.error()}>{(error) => <Failure error={error()} onRetry={() => void tools.reload()} />}</Match>
        <Match when={tools.value()?.length === 0}>
          <EmptyState title={t('no_tools')} text={t('no_tools_text')} />
        </Match>
        <Match when={tools.value()}>
          <ApprovalField
            label={t('others_ask')}
            value={props.draft.approval['*']}
            fallback={t('as_tool')}
            onChange={(mode) => props.change('approval', withMode(props.draft.approval, '*', mode))}
            visibleLabel
          />
          <Show when={(tools.value()?.length ?? 0) > 8}>
            <TextField label={t('find_tool')} type="search" value={filter()} onInput={setFilter} />
          </Show>
          <ul class="rows agents-tools" aria-label={t('tools')}>
            <For each={shown()} fallback={<li class="small t2 agents-none">{t('no_match', { text: filter() })}</li>}>
              {(tool) => <ToolRow {...props} tool={tool} />}
            </For>
          </ul>
        </Match>
      </Switch>
      <Grants agentId={props.agent.id} />
    </>
  )
}

function ToolRow(props: ToolsProps & { readonly tool: Tool }): JSX.Element {
  const id = createUniqueId()
  const isNamed = (): boolean => props.draft.tools.includes(props.tool.name)
  const pattern = (): string | undefined =>
    props.draft.tools.find((entry) => entry.endsWith('__*') && entry !== props.tool.name && props.tool.name.startsWith(entry.slice(0, -1)))
  const isGiven = (): boolean => isNamed() || pattern() !== undefined
  const toggle = (given: boolean): void =>
    props.change('tools', given ? [...props.draft.tools, props.tool.name] : props.draft.tools.filter((name) => name !== props.tool.name))
  return (
    <li class="agents-tool">
      <input
        id={id}
        type="checkbox"
        checked={isGiven()}
        disabled={!isNamed() && pattern() !== undefined}
        aria-describedby={`${id}-text`}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
      <div class="grow">
        <div class="row agents-tool-name">
          <label for={id}>
            <bdi>{toolTitle(props.tool)}</bdi>
          </label>
          <code class="t3">{props.tool.name}</code>
          <Show when={props.tool.effect === 'read'}>
            <Badge>{t('reads_only')}</Badge>
          </Show>
        </div>
        <p class="help agents-clamp" id={`${id}-text`}>
          {/* Written for models, in English. */}
          <bdi lang="en">{props.tool.description ?? ''}</bdi>
        </p>
        <Show when={pattern()}>{(entry) => <p class="help">{t('by_pattern', { entry: entry() })}</p>}</Show>
        <Show when={isGiven() && !props.tool.available && props.tool.message}>
          {(message) => (
            <p class="help agents-reason">
              <Mark name={props.tool.reason === 'policy' ? 'fail' : 'warn'} />
              {props.tool.reason === null ? message() : t(`reason_${props.tool.reason}`)}
            </p>
          )}
        </Show>
      </div>
      <Show when={isGiven()}>
        <ApprovalField
          label={t('ask_for', { tool: toolTitle(props.tool) })}
          value={props.draft.approval[props.tool.name]}
          fallback={t('as_others')}
          onChange={(mode) => props.change('approval', withMode(props.draft.approval, props.tool.name, mode))}
        />
      </Show>
    </li>
  )
}

const modes = ['never', 'first_time', 'always'] as const

/** When a person is asked; unset: as the fallback says. */
function ApprovalField(props: {
  readonly label: string
  readonly visibleLabel?: boolean
  readonly value: Approval | undefined
  readonly fallback: string
  readonly onChange: (mode: Approval | undefined) => void
}): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="agents-mode" classList={{ labelled: props.visibleLabel }}>
      <label for={id} class={props.visibleLabel ? 'lbl' : 'sr'}>
        {props.label}
      </label>
      <span class="in">
        <select id={id} onChange={(event) => props.onChange(modes.find((mode) => mode === event.currentTarget.value))}>
          <option value="" selected={props.value === undefined}>
            {props.fallback}
          </option>
          <For each={modes}>
            {(mode) => (
              <option value={mode} selected={props.value === mode}>
                {t(mode)}
              </option>
            )}
          </For>
        </select>
        <Icon name="chevron-down" />
      </span>
    </div>
  )
}

/** The store merges objects: an absent member must be named to go. */
const withMode = (approval: Definition['approval'], tool: string, mode: Approval | undefined): Definition['approval'] =>
  ({ ...approval, [tool]: mode }) as Definition['approval']

async function allTools(agent: string | undefined): Promise<readonly Tool[]> {
  const tools: Tool[] = []
  let cursor: string | null = null
  do {
    const page: Schemas['ToolPage'] = await api.get('/api/tools', {
      query: { limit: 200, ...(agent !== undefined && { agent }), ...(cursor !== null && { cursor }) },
    })
    tools.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return tools
}

/** What the agent has comes first, as the service sees it for this agent; then all others. */
function withOwnFirst(possible: readonly Tool[], own: readonly Tool[]): readonly Tool[] {
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...possible.filter(({ name }) => !names.has(name))]
}
