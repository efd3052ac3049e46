import { agentName, Badge, Button, currentQuery, Failure, navigate, Page, SelectField, Skeleton } from '@agent-service/sdk/web'
import { shippedText } from '@agent-service/sdk/web/words'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { CreateDialog, InstallDialog } from './new-skill.js'
import { hrefOf, readAgents, readSkills, type Skill, type Source, sources, sourceText } from './skill.js'
import { t } from './texts.js'

/** The skills by source, those that win first. */
export function Overview(): JSX.Element {
  const agentId = (): string | undefined => currentQuery().get('agent') ?? undefined
  const [asked, setAsked] = createSignal<'create' | 'install'>()
  const agents = createQuery({ key: () => ['agents'], read: readAgents })
  const skills = createQuery({ key: () => ['skills', agentId()], read: (signal) => readSkills(agentId(), signal) })
  const shown = (): readonly Source[] => sources.filter((source) => source !== 'agent' || agentId() !== undefined)
  const of = (source: Source): readonly Skill[] => (skills.value() ?? []).filter((skill) => skill.source === source)
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button icon="upload" onClick={() => setAsked('install')}>
            {t('install')}
          </Button>
          <Button kind="main" icon="plus" onClick={() => setAsked('create')}>
            {t('new')}
          </Button>
        </>
      }
    >
      <div class="skills-filter">
        <SelectField
          label={t('of_which_agent')}
          value={agentId() ?? ''}
          onInput={(id) => void navigate(id === '' ? '/skills' : `/skills?${new URLSearchParams({ agent: id })}`, { replace: true })}
          choices={[
            { value: '', label: t('no_agent') },
            ...(agents.value() ?? []).map(({ id, name }) => ({ value: id, label: agentName(name) })),
          ]}
        />
      </div>
      <Show when={skills.error() ?? agents.error()}>{(error) => <Failure error={error()} onRetry={() => void skills.reload()} />}</Show>
      <Show when={skills.value()} fallback={<Show when={skills.isLoading()}>{<Skeleton />}</Show>}>
        <For each={shown()}>{(source) => <Group source={source} skills={of(source)} agentId={agentId()} />}</For>
      </Show>
      <Show when={asked() === 'create'}>
        <CreateDialog agents={agents.value() ?? []} onClose={() => setAsked(undefined)} />
      </Show>
      <Show when={asked() === 'install'}>
        <InstallDialog agents={agents.value() ?? []} onClose={() => setAsked(undefined)} />
      </Show>
    </Page>
  )
}

const leads: Readonly<Record<Source, () => string>> = {
  agent: () => t('of_agent_text'),
  user: () => t('own_text'),
  shared: () => t('shared_text'),
  bundled: () => t('bundled_text'),
}
const nothing: Readonly<Record<Source, () => string>> = {
  agent: () => t('own_empty'),
  user: () => t('own_empty'),
  shared: () => t('shared_empty'),
  bundled: () => t('empty'),
}

function Group(props: { readonly source: Source; readonly skills: readonly Skill[]; readonly agentId: string | undefined }): JSX.Element {
  return (
    <section class="skills-group">
      <h2 class="h3">{sourceText(props.source)}</h2>
      <p class="help">{leads[props.source]()}</p>
      <ul class="skills-list">
        <For each={props.skills} fallback={<li class="skills-none">{nothing[props.source]()}</li>}>
          {(skill) => (
            <li class="item skills-row">
              <span class="skills-words">
                <a class="key" href={hrefOf({ ...skill, agentId: props.agentId })}>
                  {skill.name}
                </a>
                <Show when={skill.problem} fallback={<bdi class="sub skills-description">{shippedText(skill.description).text}</bdi>}>
                  {(problem) => (
                    <span class="sub skills-problem" lang="en">
                      {problem().file}:{problem().line}: {problem().message}
                    </span>
                  )}
                </Show>
              </span>
              <Show when={skill.problem}>{<Badge tone="danger">{t('broken')}</Badge>}</Show>
              <Show when={skill.shadowed_by}>
                {(source) => <Badge tone="line">{t('replaced_by', { source: sourceText(source()) })}</Badge>}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}
