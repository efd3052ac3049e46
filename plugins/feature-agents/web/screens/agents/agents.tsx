import './agents.css'
import { Routes, route } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { AgentList } from './agent-list.js'
import { AgentPage } from './agent-page.js'

/** The list of agents, or one of them. */
export default function Agents(): JSX.Element {
  return <Routes of={[route('/agents', () => <AgentList />), route('/agents/:id', ({ id }) => <AgentPage id={id} />)]} />
}
