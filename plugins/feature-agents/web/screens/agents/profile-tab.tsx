import {
  abilities,
  Checkbox,
  hasScreen,
  isAdmin,
  Mark,
  modelChoices,
  numberText,
  readAbilities,
  SelectField,
  TextArea,
  TextField,
} from '@agent-service/sdk/web'
import type { Form } from '@agent-service/sdk/web/forms'
import { For, type JSX, onMount, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import type { Agent, Definition } from './definition.js'
import { t } from './texts.js'
import { warningText } from './warning-words.js'

interface ProfileProps {
  readonly agentId: string
  readonly form: Form<Definition>
  readonly warnings: Agent['warnings']
}

/** Who the agent is, what it is asked to do, and within which limits. */
export function ProfileTab(props: ProfileProps): JSX.Element {
  const { field, problem, set, values } = props.form
  const limits = (): Limits => values().limits
  const skillProblem = (): string | undefined => Object.entries(props.form.problems()).find(([path]) => path.startsWith('/skills/'))?.[1]
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
        <TextField label={t('name')} required maxLength={100} {...field('name')} />
        <ModelField {...field('model_group')} />
      </div>
      <TextArea label={t('instructions')} rows={10} help={t('size', sizeOf(values().instructions))} {...field('instructions')} />
      <TextField label={t('description')} maxLength={1000} help={t('description_help')} {...field('description')} />
      <div class="agents-two">
        <TextField label={t('handle')} mono help={t('handle_help')} {...field('handle')} />
        <TextField label={t('avatar')} maxLength={16} help={t('avatar_help')} {...field('avatar')} />
      </div>
      <h2 class="h3 agents-head">{t('behaviour')}</h2>
      <Checkbox label={t('enabled')} help={t('enabled_help')} {...field('enabled')} />
      <Show when={abilities().sandbox}>
        <Checkbox
          label={t('network')}
          help={t('network_help')}
          value={values().sandbox.network}
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
          value={values().memory.enabled}
          onInput={(enabled) => set('memory', { enabled })}
        />
      </Show>
      <Checkbox
        label={t('titles')}
        help={t('titles_help')}
        value={values().titles.enabled}
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
              value={limits()[name] === undefined ? '' : String(limits()[name])}
              placeholder={t('service_limit')}
              onInput={(text) => set('limits', withLimit(limits(), name, text))}
              error={problem(`/limits/${name}`)}
            />
          )}
        </For>
      </div>
      <TextArea
        label={t('skills')}
        rows={3}
        value={values().skills.join('\n')}
        onInput={(text) => set('skills', text === '' ? [] : text.split('\n'))}
        help={t('skills_help')}
        error={problem('/skills') ?? skillProblem()}
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
  return text === '' ? rest : { ...rest, [name]: Number(text) }
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
  const groups = createQuery({
    key: () => ['model_groups'],
    read: async (signal) => (await api.get('/api/models', { query: { limit: 200 }, signal })).items,
  })
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
