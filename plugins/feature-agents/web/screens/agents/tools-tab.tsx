import { Badge, EmptyState, Failure, Icon, Mark, readAll, Skeleton, TextField, toolTitle } from '@agent-service/sdk/web'
import type { Form } from '@agent-service/sdk/web/forms'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createMemo, createSignal, createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import type { Agent, Approval, Definition } from './definition.js'
import { Grants } from './grants.js'
import { t } from './texts.js'

type Tool = Schemas['Tool']

interface ToolsProps {
  readonly agent: Agent
  readonly form: Form<Definition>
}

/** Which tools the agent has, why it lacks some, and when a person is asked before they run. */
export function ToolsTab(props: ToolsProps): JSX.Element {
  const [filter, setFilter] = createSignal('')
  const tools = createQuery({
    key: () => ['agent', props.agent.id, 'tools'],
    read: async (signal) => withOwnFirst(await allTools(undefined, signal), await allTools(props.agent.id, signal)),
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
        <Match when={tools.value()?.length === 0}>
          <EmptyState title={t('no_tools')} text={t('no_tools_text')} />
        </Match>
        <Match when={tools.value()}>
          <ApprovalField
            label={t('others_ask')}
            value={props.form.values().approval['*']}
            fallback={t('as_tool')}
            onChange={(mode) => props.form.set('approval', withMode(props.form.values().approval, '*', mode))}
            visibleLabel
          />
          <Show when={(tools.value()?.length ?? 0) > 8}>
            <TextField label={t('find_tool')} type="search" value={filter()} onInput={setFilter} />
          </Show>
          <div class="agents-tools">
            <Show when={shown().length > 0} fallback={<p class="small t2 agents-none">{t('no_match', { text: filter() })}</p>}>
              <VirtualRows
                items={shown()}
                label={t('tools')}
                text={(tool) => `${toolTitle(tool)} ${tool.name} ${tool.description ?? ''}`}
                rowHeight={85}
                rowClass="agents-tool"
              >
                {(tool) => <ToolRow {...props} tool={tool} />}
              </VirtualRows>
            </Show>
          </div>
        </Match>
        <Match when={tools.error()}>{(error) => <Failure error={error()} onRetry={() => void tools.reload()} />}</Match>
      </Switch>
      <Grants agentId={props.agent.id} />
    </>
  )
}

function ToolRow(props: ToolsProps & { readonly tool: Tool }): JSX.Element {
  const id = createUniqueId()
  const given = (): readonly string[] => props.form.values().tools
  const isNamed = (): boolean => given().includes(props.tool.name)
  const pattern = (): string | undefined =>
    given().find((entry) => entry.endsWith('__*') && entry !== props.tool.name && props.tool.name.startsWith(entry.slice(0, -1)))
  const isGiven = (): boolean => isNamed() || pattern() !== undefined
  const toggle = (wanted: boolean): void =>
    props.form.set('tools', wanted ? [...given(), props.tool.name] : given().filter((name) => name !== props.tool.name))
  return (
    <>
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
          value={props.form.values().approval[props.tool.name]}
          fallback={t('as_others')}
          onChange={(mode) => props.form.set('approval', withMode(props.form.values().approval, props.tool.name, mode))}
        />
      </Show>
    </>
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

function withMode(approval: Definition['approval'], tool: string, mode: Approval | undefined): Definition['approval'] {
  const { [tool]: _, ...others } = approval
  return mode === undefined ? others : { ...others, [tool]: mode }
}

const allTools = (agent: string | undefined, signal: AbortSignal): Promise<readonly Tool[]> =>
  readAll((cursor) =>
    api.get('/api/tools', {
      query: { limit: 200, ...(agent !== undefined && { agent }), ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  )

/** What the agent has comes first, as the service sees it for this agent; then all others. */
function withOwnFirst(possible: readonly Tool[], own: readonly Tool[]): readonly Tool[] {
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...possible.filter(({ name }) => !names.has(name))]
}
