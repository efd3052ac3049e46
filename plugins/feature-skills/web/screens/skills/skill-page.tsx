import {
  Badge,
  Button,
  confirmAction,
  createAction,
  Failure,
  isAdmin,
  momentText,
  navigate,
  Page,
  Skeleton,
  showToast,
  usePageTitle,
} from '@agent-service/sdk/web'
import { shippedText } from '@agent-service/sdk/web/words'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { AgentToggles } from './agent-toggles.js'
import { Files } from './files.js'
import {
  checkAddress,
  checkSkill,
  keyOf,
  readSkill,
  removeSkill,
  type SkillCheck,
  type SkillDetails,
  type SkillPlace,
  sourceText,
  updateSkill,
} from './skill.js'
import { t } from './texts.js'

/** One skill: its files, where it came from, and the agents that have it. */
export function SkillPage(props: { readonly place: SkillPlace }): JSX.Element {
  /** Its event is not to be answered by reading it. */
  const [isGone, setGone] = createSignal(false)
  const skill = createQuery({
    key: () => (isGone() ? undefined : keyOf(props.place)),
    read: (signal) => readSkill(props.place, signal),
  })
  const [check, setCheck] = createSignal<SkillCheck>()
  const [isNewer, setIsNewer] = createSignal<boolean>()
  usePageTitle(() => props.place.name)
  const { source, name } = props.place
  const mayChange = source === 'user' || source === 'agent' || (source === 'shared' && isAdmin())
  const doing = createAction((work: () => Promise<void>) => work())
  const compare = () =>
    doing.run(async () => {
      setIsNewer(undefined)
      setCheck(await checkSkill(props.place))
      if (mayChange && skill.value()?.installation?.origin === 'url') setIsNewer((await checkAddress(props.place)).state === 'changed')
    })
  const update = () =>
    doing.run(async () => {
      await updateSkill(props.place)
      setCheck(undefined)
      setIsNewer(undefined)
      await skill.reload()
      showToast(t('updated', { name }))
    })
  const remove = () =>
    doing.run(async () => {
      if (!(await confirmAction({ title: t('remove_question', { name }), text: t('remove_text'), action: t('remove'), keep: t('keep') })))
        return
      setGone(true)
      await removeSkill(props.place).catch((error: unknown) => {
        setGone(false)
        throw error
      })
      showToast(t('removed', { name }))
      await navigate(props.place.agentId === undefined ? '/skills' : `/skills?${new URLSearchParams({ agent: props.place.agentId })}`)
    })
  return (
    <Page
      title={name}
      lead={<bdi>{shippedText(skill.value()?.description ?? '').text}</bdi>}
      actions={
        <Show when={mayChange}>
          <Show when={skill.value()?.installation?.origin === 'url'}>
            <Button icon="refresh" busy={doing.busy()} onClick={() => void update()}>
              {t('update')}
            </Button>
          </Show>
          <Button kind="danger" icon="trash" onClick={() => void remove()}>
            {t('remove')}
          </Button>
        </Show>
      }
    >
      <nav class="skills-crumbs small" aria-label={t('title')}>
        <a href="/skills">{t('title')}</a>
        <span class="t3" aria-hidden="true">
          /
        </span>
        <span aria-current="page">{name}</span>
      </nav>
      <Show when={doing.failure() ?? skill.error()}>{(error) => <Failure error={error()} onRetry={() => void skill.reload()} />}</Show>
      <Show when={skill.value()} fallback={<Show when={skill.isLoading()}>{<Skeleton />}</Show>}>
        {(found) => (
          <div class="skills-beside">
            <div class="skills-main">
              <Show when={found().problem}>
                {(problem) => (
                  <p class="skills-broken" role="alert">
                    <Badge tone="danger">{t('broken')}</Badge>{' '}
                    <span lang="en">
                      {problem().file}:{problem().line}: {problem().message}
                    </span>
                  </p>
                )}
              </Show>
              <Show when={found().warnings.length > 0}>
                <section class="skills-warnings" aria-label={t('warnings')}>
                  <p>{t('warnings_text')}</p>
                  <ul>
                    <For each={found().warnings}>
                      {({ file, line, message }) => (
                        <li class="sub" lang="en">
                          <bdi>
                            {file}:{line}: {message}
                          </bdi>
                        </li>
                      )}
                    </For>
                  </ul>
                </section>
              </Show>
              <Files place={props.place} files={found().files} mayChange={mayChange} />
            </div>
            <aside>
              <Facts skill={found()} />
              <Show when={found().installation}>
                <Button size="small" icon="search" busy={doing.busy()} onClick={() => void compare()}>
                  {t('check')}
                </Button>
              </Show>
              <Show when={check()}>{(result) => <CheckResult check={result()} isNewer={isNewer()} />}</Show>
              <AgentToggles name={name} only={source === 'agent' ? props.place.agentId : undefined} />
            </aside>
          </div>
        )}
      </Show>
    </Page>
  )
}

function Facts(props: { readonly skill: SkillDetails }): JSX.Element {
  const facts = (): readonly (readonly [string, string])[] => {
    const { source, installation, license, compatibility, metadata, shadowed_by } = props.skill
    return [
      [t('source'), sourceText(source)],
      ...(shadowed_by === null ? [] : [[t('replaced'), sourceText(shadowed_by)] as const]),
      [t('from'), fromText(props.skill)],
      ...(installation ? [[t('installed_at'), momentText(installation.installed_at)] as const] : []),
      ...(metadata['version'] === undefined ? [] : [[t('version'), metadata['version']] as const]),
      ...(license === null ? [] : [[t('license'), license] as const]),
      ...(compatibility === null ? [] : [[t('compatibility'), compatibility] as const]),
      ...(installation ? [[t('sha'), installation.sha256] as const] : []),
    ]
  }
  return (
    <dl class="skills-facts">
      <For each={facts()}>
        {([term, text]) => (
          <>
            <dt>{term}</dt>
            <dd classList={{ mono: term === t('sha') }}>
              <bdi>{text}</bdi>
            </dd>
          </>
        )}
      </For>
    </dl>
  )
}

function fromText({ source, installation }: SkillDetails): string {
  if (source === 'bundled') return t('from_release')
  if (!installation) return t('from_hand')
  const from = installation.from ?? ''
  if (installation.origin === 'created') return t('from_created')
  if (installation.origin === 'url') return from
  return installation.origin === 'archive' ? t('from_archive', { from }) : t('from_folder', { from })
}

function CheckResult(props: { readonly check: SkillCheck; readonly isNewer: boolean | undefined }): JSX.Element {
  const lines = (): readonly string[] => [
    ...props.check.added.map((path) => t('added', { path })),
    ...props.check.changed.map((path) => t('changed', { path })),
    ...props.check.removed.map((path) => t('removed_path', { path })),
  ]
  return (
    <div class="skills-check" role="status">
      <p>
        {props.check.state === 'unchanged'
          ? t('check_unchanged')
          : props.check.state === 'changed'
            ? t('check_changed')
            : t('check_not_installed')}
      </p>
      <ul>
        <For each={lines()}>{(line) => <li class="sub">{line}</li>}</For>
      </ul>
      <Show when={props.isNewer !== undefined}>
        <p>{props.isNewer ? t('check_newer') : t('check_same')}</p>
      </Show>
    </div>
  )
}
