import { BannerBar, Button, commonText as common, createAction, errorText, isKnownGroup, TextField } from '@agent-service/sdk/web'
import { type Configuration, membersOf, saveConfiguration } from '@agent-service/sdk/web/configuration'
import { fieldProblemsOf, focusProblem } from '@agent-service/sdk/web/forms'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import type { Providers } from '../../providers/read-providers.js'
import { FallbackList } from './fallback-list.js'
import { changeOf, type Group, type Target } from './group.js'
import { TargetFields } from './target-fields.js'
import { t } from './texts.js'

type Problems = Readonly<Record<string, string>>

/** A model group: its own model, its fallbacks in order, and its parameters. Checked before it is saved. */
export function GroupForm(props: {
  readonly initial: Group
  readonly isNew: boolean
  readonly found: Providers
  readonly taken: readonly string[]
  readonly onSaved: (name: string) => void
  readonly onCancel: () => void
}): JSX.Element {
  let lastKey = 0
  const nextKey = (): number => {
    lastKey += 1
    return lastKey
  }
  const [name, setName] = createSignal(props.initial.name)
  const [own, setOwn] = createSignal<Target>(props.initial.own)
  const [fallbacks, setFallbacks] = createSignal(props.initial.fallbacks.map((target) => ({ key: nextKey(), target })))
  const [contextWindow, setContextWindow] = createSignal(props.initial.contextWindow)
  const [maxRetries, setMaxRetries] = createSignal(props.initial.maxRetries)
  const [problems, setProblems] = createSignal<Problems>({})
  const [overlaps, setOverlaps] = createSignal<readonly string[]>([])
  const before = entryText(props.found.configuration, props.initial.name)

  const current = (): Group => ({
    name: name().trim(),
    own: own(),
    fallbacks: fallbacks().map(({ target }) => target),
    contextWindow: contextWindow(),
    maxRetries: maxRetries(),
  })
  const missing = (group: Group): Problems => {
    const found: Record<string, string> = {}
    if (!/^[\w-]{1,64}$/.test(group.name)) found['name'] = t('name_wrong')
    if (props.isNew && props.taken.includes(group.name)) found['name'] = t('name_taken')
    for (const [index, target] of [group.own, ...group.fallbacks].entries()) {
      const prefix = index === 0 ? '' : `fallbacks[${index - 1}].`
      if (target.provider === '') found[`${prefix}provider`] = common('required')
      if (target.model.trim() === '') found[`${prefix}model`] = common('required')
    }
    return found
  }
  /** What the service finds wrong with the change, which saves nothing. */
  const check = async (name: string, change: ReturnType<typeof changeOf>): Promise<Problems> => {
    const checked = await api.post('/api/admin/config/check', { body: { set: { ...change.set }, reset: [...change.reset] } })
    const prefix = `models.${name}.`
    setOverlaps(checked.overlaps.filter(({ path }) => path.startsWith(prefix)).map(({ custom, typed }) => t('overlap', { custom, typed })))
    return Object.fromEntries(
      checked.problems.map(({ path, message }) => [path.startsWith(prefix) ? path.slice(prefix.length) : path, message]),
    )
  }
  const saving = createAction(async (group: Group) => {
    const { set, reset } = changeOf(group)
    const change = { set, reset: props.isNew ? [] : reset }
    setProblems(await check(group.name, change))
    if (hasProblem()) return
    const isUnchanged = (configuration: Configuration) => entryText(configuration, group.name) === before || props.isNew
    if (await saveConfiguration(change, isUnchanged)) props.onSaved(group.name)
  })
  const hasProblem = (): boolean => Object.keys(problems()).length > 0
  const save = async (form: HTMLFormElement): Promise<void> => {
    if (saving.busy()) return
    const group = current()
    saving.clear()
    setProblems(missing(group))
    if (!hasProblem() && !(await saving.run(group))) setProblems(fieldProblemsOf(saving.failure()))
    if (hasProblem()) await focusProblem(form)
  }
  /** The problem of a member, or of something inside it. */
  const errorOf = (member: string): string | undefined => {
    const found = Object.entries(problems()).find(([path]) => path === member || path.startsWith(`${member}.`))
    return found && (found[0] === member ? found[1] : `${found[0].slice(member.length + 1)} ${found[1]}`)
  }
  const elsewhere = (): readonly string[] =>
    Object.entries(problems()).flatMap(([path, message]) => (/^(models|providers|\/)/.test(path) ? [`${path}: ${message}`] : []))
  return (
    <form
      class="form"
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void save(event.currentTarget)
      }}
    >
      <Show when={saving.failure()}>{(error) => <BannerBar banner={{ id: 'form', tone: 'danger', text: errorText(error()) }} />}</Show>
      <For each={elsewhere()}>{(text) => <p class="help err">{text}</p>}</For>
      <Show when={!isKnownGroup(props.initial.name)}>
        <TextField
          label={t('name')}
          mono
          help={t('name_help')}
          readOnly={!props.isNew}
          value={name()}
          error={errorOf('name')}
          onInput={setName}
        />
      </Show>
      <TargetFields
        target={own()}
        found={props.found}
        errorOf={errorOf}
        onChange={(next) => setOwn((target) => ({ ...target, ...next }))}
      />
      <FallbackList
        fallbacks={fallbacks()}
        found={props.found}
        nextKey={nextKey}
        errorOf={(index, member) => errorOf(`fallbacks[${index}].${member}`) ?? errorOf(`fallbacks.${index}.${member}`)}
        onChange={(next) => setFallbacks([...next])}
      />
      <div class="models-pair">
        <TextField
          label={t('context_window')}
          type="number"
          help={t('context_window_help')}
          value={contextWindow()}
          error={errorOf('context_window')}
          onInput={setContextWindow}
        />
        <TextField
          label={t('max_retries')}
          type="number"
          help={t('max_retries_help')}
          value={maxRetries()}
          error={errorOf('retry')}
          onInput={setMaxRetries}
        />
      </div>
      <For each={overlaps()}>{(text) => <p class="help">{text}</p>}</For>
      <div class="form-foot">
        <Button kind="main" type="submit" busy={saving.busy()}>
          {t(saving.busy() ? 'saving' : 'save')}
        </Button>
        <Button kind="quiet" onClick={() => props.onCancel()}>
          {common('cancel')}
        </Button>
      </div>
    </form>
  )
}

const entryText = ({ saved }: Configuration, name: string): string => JSON.stringify(membersOf(saved['models'])[name] ?? null)
