import './skills.css'
import { currentQuery, type ScreenProps } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { Overview } from './overview.js'
import { type SkillPlace, sources } from './skill.js'
import { SkillPage } from './skill-page.js'

/** The skills of all sources, or one of them. */
export default function Skills(props: ScreenProps): JSX.Element {
  const place = (): SkillPlace | undefined => {
    const [source, name] = (props.params['rest'] ?? '').split('/').filter(Boolean)
    const known = sources.find((each) => each === source)
    const agentId = currentQuery().get('agent') ?? undefined
    return known && name !== undefined ? { source: known, name, agentId } : undefined
  }
  return (
    <Show when={place()} keyed fallback={<Overview />}>
      {(shown) => <SkillPage place={shown} />}
    </Show>
  )
}
