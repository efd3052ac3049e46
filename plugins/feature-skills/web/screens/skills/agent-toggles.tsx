import { agentName, createAction, Failure, type Query, Toggle } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { type Agent, readAgents } from './skill.js'
import { t } from './texts.js'

/** Which agents have a skill. A change takes effect at once. */
export function AgentToggles(props: { readonly name: string; readonly only: string | undefined }): JSX.Element {
  const agents = createQuery({ key: () => ['agents'], read: readAgents })
  const shown = (): readonly Agent[] => (agents.value() ?? []).filter(({ id }) => props.only === undefined || id === props.only)
  return (
    <section class="skills-agents">
      <h2 class="h3">{t('agents')}</h2>
      <p class="help">{t('agents_lead')}</p>
      <Show when={agents.error()}>{(error) => <Failure error={error()} onRetry={() => void agents.reload()} />}</Show>
      <For each={shown().map(({ id }) => id)}>
        {(id) => (
          <Show when={shown().find((agent) => agent.id === id)}>
            {(agent) => (
              <Show when={!agent().skills.includes('*')} fallback={<p class="sub">{t('agents_all', { name: agentName(agent().name) })}</p>}>
                <AgentToggle agent={agent()} skill={props.name} agents={agents} />
              </Show>
            )}
          </Show>
        )}
      </For>
    </section>
  )
}

function AgentToggle(props: { readonly agent: Agent; readonly skill: string; readonly agents: Query<readonly Agent[]> }): JSX.Element {
  const setting = createAction(async (has: boolean) => {
    const path = { agent_id: props.agent.id }
    try {
      // Read again: another tab may have changed the list.
      const { skills, version } = await api.get('/api/agents/{agent_id}', { path })
      const others = skills.filter((name) => name !== props.skill)
      await api.patch('/api/agents/{agent_id}', {
        ...{ path, body: { skills: has ? [...others, props.skill] : others } },
        headers: { 'if-match': `"${version}"` },
      })
    } finally {
      await props.agents.reload()
    }
  })
  return (
    <>
      {/* It stands where the person put it while the service stores that. */}
      <Toggle
        label={agentName(props.agent.name)}
        value={setting.given()?.[0] ?? props.agent.skills.includes(props.skill)}
        onInput={(has) => void setting.run(has)}
      />
      <Show when={setting.failure()}>{(error) => <Failure error={error()} />}</Show>
    </>
  )
}
