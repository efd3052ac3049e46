import { agentName } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import type { Agent } from './definition.js'

/** What an agent is recognised by: its avatar, or the first letters of its name. */
export function Face(props: { readonly agent: Pick<Agent, 'avatar' | 'name'> }): JSX.Element {
  const text = (): string => (props.agent.avatar === '' ? [...agentName(props.agent.name)].slice(0, 2).join('') : props.agent.avatar)
  return (
    <span class="agents-face" aria-hidden="true">
      {text()}
    </span>
  )
}
