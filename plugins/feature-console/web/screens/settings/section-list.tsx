import { Mark, SelectField } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import type { Section } from '../../settings/model/layout.js'
import { TitleText } from '../../settings/rows/title-text.js'
import { t } from '../../settings/words/texts.js'

/** What there is to say about a section beside its name. */
export interface SectionState {
  readonly changes: number
  readonly problems: number
}

/** The sections: a list on wide screens, a select on narrow ones. */
export function SectionList(props: {
  readonly sections: readonly Section[]
  readonly current: string | undefined
  readonly stateOf: (name: string) => SectionState
  readonly onSelect: (name: string) => void
}): JSX.Element {
  const used = () => props.sections.filter(({ noEffect }) => noEffect.text === '')
  const later = () => props.sections.filter(({ noEffect }) => noEffect.text !== '')
  return (
    <>
      <nav class="settings-sections" aria-label={t('sections')}>
        <For each={used()}>{(section) => <SectionLink {...props} section={section} />}</For>
        <Show when={later().length > 0}>
          <h2>{t('later')}</h2>
          <For each={later()}>{(section) => <SectionLink {...props} section={section} />}</For>
        </Show>
      </nav>
      <div class="settings-section-choice">
        <SelectField
          label={t('section')}
          value={props.current ?? ''}
          choices={[
            ...(props.current === undefined ? [{ value: '', label: t('all') }] : []),
            ...[...used(), ...later()].map(({ name, title }) => ({ value: name, label: title.text })),
          ]}
          onInput={(name) => props.onSelect(name)}
        />
      </div>
    </>
  )
}

function SectionLink(props: {
  readonly section: Section
  readonly current: string | undefined
  readonly stateOf: (name: string) => SectionState
  readonly onSelect: (name: string) => void
}): JSX.Element {
  const state = () => props.stateOf(props.section.name)
  return (
    <a
      class="nav"
      href={`/admin/settings?section=${encodeURIComponent(props.section.name)}`}
      aria-current={props.current === props.section.name ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        props.onSelect(props.section.name)
      }}
    >
      <span class="cut grow">
        <TitleText title={props.section.title} />
      </span>
      <Show
        when={state().problems > 0}
        fallback={
          <Show when={state().changes > 0}>{<span class="count accent">{t('changes_count', { count: state().changes })}</span>}</Show>
        }
      >
        <Mark name="fail" label={t('fix', { count: state().problems })} />
      </Show>
    </a>
  )
}
