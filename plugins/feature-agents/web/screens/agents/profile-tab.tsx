import {
  abilities,
  Checkbox,
  createLoaded,
  hasScreen,
  isAdmin,
  Mark,
  modelChoices,
  numberText,
  onReturn,
  readAbilities,
  SelectField,
  TextArea,
  TextField,
} from '@agent-service/sdk/web'
import { For, type JSX, onMount, Show } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import { api, type Schemas } from '../../api/index.js'
import type { Agent, Definition } from './definition.js'
import { t } from './texts.js'
import { warningText } from './warning-words.js'

interface ProfileProps {
  readonly agentId: string
  readonly draft: Definition
  readonly change: SetStoreFunction<Definition>
  readonly warnings: Agent['warnings']
  /** What the service found wrong with a member, by its JSON pointer. */
  readonly problemAt: (pointer: string) => string | undefined
}

/** Who the agent is, what it is asked to do, and within which limits. */
export function ProfileTab(props: ProfileProps): JSX.Element {
  const set = <Key extends keyof Definition>(key: Key, value: Definition[Key]): void =>
    props.change({ [key]: value } as Partial<Definition>)
  onMount(() => void readAbilities())
  return (
    <>
      <Show when={props.warnings.length > 0}>
        <ul class="agents-warnings" aria-label={t('warnings_label')}>
          <For each={props.warnings}>
            {(warning) => (
              <li class="small">
                <Mark name="warn" />
                <bdi>{warningText(warning.message)}</bdi>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <div class="agents-two">
        <TextField
          label={t('name')}
          required
          maxLength={100}
          value={props.draft.name}
          onInput={(value) => set('name', value)}
          error={props.problemAt('/name')}
        />
        <ModelField
          value={props.draft.model_group}
          onInput={(value) => set('model_group', value)}
          error={props.problemAt('/model_group')}
        />
      </div>
      <TextArea
        label={t('instructions')}
        rows={10}
        value={props.draft.instructions}
        onInput={(value) => set('instructions', value)}
        help={t('size', sizeOf(props.draft.instructions))}
        error={props.problemAt('/instructions')}
      />
      <TextField
        label={t('description')}
        maxLength={1000}
        value={props.draft.description}
        onInput={(value) => set('description', value)}
        help={t('description_help')}
        error={props.problemAt('/description')}
      />
      <div class="agents-two">
        <TextField
          label={t('handle')}
          mono
          value={props.draft.handle}
          onInput={(value) => set('handle', value)}
          help={t('handle_help')}
          error={props.problemAt('/handle')}
        />
        <TextField
          label={t('avatar')}
          maxLength={16}
          value={props.draft.avatar}
          onInput={(value) => set('avatar', value)}
          help={t('avatar_help')}
          error={props.problemAt('/avatar')}
        />
      </div>
      <h2 class="h3 agents-head">{t('behaviour')}</h2>
      <Checkbox label={t('enabled')} help={t('enabled_help')} value={props.draft.enabled} onInput={(value) => set('enabled', value)} />
      <Show when={abilities().sandbox}>
        <Checkbox
          label={t('network')}
          help={t('network_help')}
          value={props.draft.sandbox.network}
          onInput={(network) => set('sandbox', { network })}
        />
      </Show>
      <Show when={abilities().memory} fallback={<NoMemory />}>
        <Checkbox
          label={t('memory')}
          help={
            <>
              {t('memory_help')}{' '}
              <Show when={hasScreen('/memory')}>
                <a href={`/memory?${new URLSearchParams({ agent: props.agentId })}`}>{t('memory_known')}</a>
              </Show>
            </>
          }
          value={props.draft.memory.enabled}
          onInput={(enabled) => set('memory', { enabled })}
        />
      </Show>
      <Checkbox
        label={t('titles')}
        help={t('titles_help')}
        value={props.draft.titles.enabled}
        onInput={(enabled) => set('titles', { enabled })}
      />
      <Show when={hasScreen('/channels')}>
        <p class="small">
          <a href={`/channels?${new URLSearchParams({ agent: props.agentId })}`}>{t('channels_of')}</a>
        </p>
      </Show>
      <h2 class="h3 agents-head">{t('limits')}</h2>
      <p class="help agents-lead">{t('limits_help')}</p>
      <div class="agents-two three">
        <For each={limitNames}>
          {(name) => (
            <TextField
              label={t(name)}
              type="number"
              value={props.draft.limits[name] === undefined ? '' : String(props.draft.limits[name])}
              placeholder={t('service_limit')}
              onInput={(text) => set('limits', withLimit(props.draft.limits, name, text))}
              error={props.problemAt(`/limits/${name}`)}
            />
          )}
        </For>
      </div>
      <TextArea
        label={t('skills')}
        rows={3}
        value={props.draft.skills.join('\n')}
        onInput={(text) => set('skills', text === '' ? [] : text.split('\n'))}
        help={t('skills_help')}
        error={props.problemAt('/skills')}
      />
    </>
  )
}

/** What lacks for memory, for those who can mend it. */
function NoMemory(): JSX.Element {
  return (
    <Show when={isAdmin()}>
      <p class="help">
        {t('memory_missing')} <a href="/admin/plugins">{t('memory_plugins')}</a>
      </p>
    </Show>
  )
}

type Limits = Definition['limits']
const limitNames = ['max_tool_turns', 'max_run_secs', 'max_output_tokens'] as const

function withLimit(limits: Limits, name: keyof Limits, text: string): Limits {
  const { [name]: _, ...rest } = limits
  const next: Limits = { ...limits, [name]: Number(text) }
  // The store merges objects: an absent member must be named to go.
  return text === '' ? ({ ...rest, [name]: undefined } as Limits) : next
}

function sizeOf(text: string): { readonly words: string; readonly tokens: string } {
  const words = text.split(/\s+/).filter(Boolean).length
  return { words: numberText(words), tokens: numberText(Math.ceil(text.length / 4)) }
}

/** The model groups of the service; one that is missing stays chosen. */
function ModelField(props: {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly error: string | undefined
}): JSX.Element {
  const groups = createLoaded(async (signal) => (await api.get('/api/models', { query: { limit: 200 }, signal })).items)
  onReturn(() => void groups.reload())
  const found = (): readonly Schemas['ModelGroup'][] => groups.value() ?? []
  const chosen = () => found().find(({ name }) => name === props.value)
  const help = (): string => {
    const group = chosen()
    if (groups.error() !== undefined) return t('models_unknown')
    if (groups.value() === undefined) return ' '
    if (!group) return t('group_missing')
    return t('group_help', { model: group.model, provider: group.provider, tokens: group.context_window })
  }
  return (
    <SelectField
      label={t('model_group')}
      value={props.value}
      onInput={props.onInput}
      choices={modelChoices(found(), props.value)}
      help={help()}
      error={props.error}
    />
  )
}
