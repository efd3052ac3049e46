import './skills.css'
import { currentQuery, Routes, route } from '@agent-service/sdk/web'
import { createMemo, type JSX, Show } from 'solid-js'
import { Overview } from './overview.js'
import { type SkillPlace, type Source, sources } from './skill.js'
import { SkillPage } from './skill-page.js'

/** The skills of all sources, or one of them. */
export default function Skills(): JSX.Element {
  return (
    <Routes
      of={sources.map((source) => route(`/skills/${source}/:name/*`, ({ name }) => <OneSkill source={source} name={name} />))}
      fallback={<Overview />}
    />
  )
}

/** One of an agent has the agent in the query of its address. */
function OneSkill(props: { readonly source: Source; readonly name: string }): JSX.Element {
  const place = createMemo(
    (): SkillPlace => ({ source: props.source, name: props.name, agentId: currentQuery().get('agent') ?? undefined }),
    undefined,
    { equals: (before, after) => before.agentId === after.agentId },
  )
  return (
    <Show when={place()} keyed>
      {(shown) => <SkillPage place={shown} />}
    </Show>
  )
}
