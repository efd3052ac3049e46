import './agents.css'
import type { ScreenProps } from '@agent-service/sdk/web'
import { type JSX, Match, Switch } from 'solid-js'
import { AgentList } from './agent-list.js'
import { AgentPage } from './agent-page.js'

/** The list of agents, or one of them. */
export default function Agents(props: ScreenProps): JSX.Element {
  return (
    <Switch fallback={<AgentList />}>
      <Match when={props.params['agentId']} keyed>
        {(id) => <AgentPage id={id} />}
      </Match>
    </Switch>
  )
}
