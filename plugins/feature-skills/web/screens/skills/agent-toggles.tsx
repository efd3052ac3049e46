import { agentName, createLoaded, Failure, Toggle } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { type Agent, readAgents } from './skill.js'
import { t } from './texts.js'

/** Which agents have a skill. A change takes effect at once. */
export function AgentToggles(props: { readonly name: string; readonly only: string | undefined }): JSX.Element {
  const agents = createLoaded(readAgents)
  const [failure, setFailure] = createSignal<unknown>()
  const shown = (): readonly Agent[] => (agents.value() ?? []).filter(({ id }) => props.only === undefined || id === props.only)
  const set = async (agent: Agent, has: boolean): Promise<void> => {
    setFailure(undefined)
    try {
      const path = { agent_id: agent.id }
      // Read again: another tab may have changed the list.
      const { skills, version } = await api.get('/api/agents/{agent_id}', { path })
      const others = skills.filter((name) => name !== props.name)
      await api.patch('/api/agents/{agent_id}', {
        ...{ path, body: { skills: has ? [...others, props.name] : others } },
        headers: { 'if-match': `"${version}"` },
      })
    } catch (error) {
      setFailure(error)
    }
    await agents.reload()
  }
  return (
    <section class="skills-agents">
      <h2 class="h3">{t('agents')}</h2>
      <p class="help">{t('agents_lead')}</p>
      <Show when={failure() ?? agents.error()}>{(error) => <Failure error={error()} onRetry={() => void agents.reload()} />}</Show>
      <For each={shown()}>
        {(agent) => (
          <Show when={!agent.skills.includes('*')} fallback={<p class="sub">{t('agents_all', { name: agentName(agent.name) })}</p>}>
            <Toggle label={agentName(agent.name)} value={agent.skills.includes(props.name)} onInput={(has) => void set(agent, has)} />
          </Show>
        )}
      </For>
    </section>
  )
}
